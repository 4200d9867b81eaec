"""What figures of several questions share."""
