"""Is a lag that can be detected also learned?"""
