"""Tables of a page, read by the standard library."""

from html.parser import HTMLParser


class Cells(HTMLParser):
    """Texts of the cells of a page, row by row."""

    def __init__(self, html):
        super().__init__()
        self.rows, self.within = [], False
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([])
        self.within = tag in ("td", "th") or (self.within and tag not in ("tr", "table"))
        if tag in ("td", "th"):
            self.rows[-1].append("")
        elif self.within and tag not in ("a", "span", "code"):
            self.rows[-1][-1] += f"<{tag}>"

    def handle_endtag(self, tag):
        self.within = self.within and tag != "tr"

    def handle_data(self, text):
        if self.within and self.rows:
            self.rows[-1][-1] += text.strip("\n")
