"""Pages for a browser that need nothing from outside: one style, one script, images within."""
