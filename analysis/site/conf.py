"""How Sphinx makes the site; build.py starts it, pages.py makes its sources."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]  # the extension; the package whose docstrings are shown

project = "saltus"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "pages"]
myst_heading_anchors = 5
smartquotes = False
highlight_language = "text"
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
suppress_warnings = ["misc.highlighting_failure", "myst.header", "config.cache"]
html_theme = "furo"
html_title = "saltus"
html_static_path = [os.path.join(HERE, "static")]
html_css_files = ["site.css"]
html_copy_source = html_show_sphinx = html_show_copyright = False
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG"  # build.py copies Debian's
