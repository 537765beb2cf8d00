"""A review as one web page that needs nothing else: no script, and no style, font or image from elsewhere."""
