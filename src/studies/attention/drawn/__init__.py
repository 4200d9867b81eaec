"""Parts that figures of several questions share."""
