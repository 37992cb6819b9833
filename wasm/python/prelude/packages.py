"""What is inside the guest, and what to take instead of what is not."""

import re

# Import name to the name it is installed by, where they differ.
_ALIASES = {
    "sklearn": "scikit-learn", "bs4": "beautifulsoup4", "dateutil": "python-dateutil", "yaml": "pyyaml", "PIL": "pillow",
    "attr": "attrs", "pil": "pillow", "typing_extensions": "typing-extensions",
}
_PACKAGES = (
    "numpy pandas scipy scikit-learn statsmodels matplotlib seaborn sympy mpmath networkx pillow lxml beautifulsoup4 requests "
    "html5lib openpyxl xlsxwriter xlrd pypdf reportlab pyyaml tomli-w xmltodict jinja2 tabulate tqdm regex "
    "python-dateutil tzdata six attrs more-itertools toolz patsy formulaic joblib cloudpickle narwhals "
    "urllib3 idna certifi charset-normalizer typing-extensions packaging pyparsing fonttools contourpy cycler kiwisolver wrapt "
    "defusedxml soupsieve webencodings markupsafe threadpoolctl et-xmlfile interface-meta"
).split()
PROVIDED = ", ".join(_PACKAGES[:34])

_HTTP = "use requests or urllib.request, for hosts that the user allowed (--allow-net=HOST)"
INSTEAD = {
    "cv2": "use PIL, scipy.ndimage or numpy for images",
    "skimage": "use scipy.ndimage, PIL or numpy for images",
    "imageio": "use PIL to read and write images",
    "httpx": _HTTP,
    "aiohttp": _HTTP,
    "yfinance": _HTTP,
    "boto3": _HTTP,
    "openai": _HTTP,
    "anthropic": _HTTP,
    "selenium": _HTTP,
    "playwright": _HTTP,
    "psycopg2": "use sqlite3",
    "pymysql": "use sqlite3",
    "mysql": "use sqlite3",
    "sqlalchemy": "use sqlite3 (pandas.read_sql takes its connections)",
    "duckdb": "use sqlite3 or pandas",
    "polars": "use pandas",
    "pyarrow": "use pandas with CSV, JSON, Excel or SQLite; Parquet needs pyarrow, which is not here",
    "fastparquet": "use pandas with CSV, JSON, Excel or SQLite",
    "dask": "use pandas",
    "modin": "use pandas",
    "vaex": "use pandas",
    "plotly": "use matplotlib or seaborn",
    "bokeh": "use matplotlib or seaborn",
    "altair": "use matplotlib or seaborn",
    "pygal": "use matplotlib",
    "torch": "use scikit-learn or numpy",
    "tensorflow": "use scikit-learn or numpy",
    "keras": "use scikit-learn or numpy",
    "jax": "use numpy or scipy",
    "xgboost": "use sklearn.ensemble.HistGradientBoostingClassifier or …Regressor",
    "lightgbm": "use sklearn.ensemble.HistGradientBoostingClassifier or …Regressor",
    "catboost": "use sklearn.ensemble.HistGradientBoostingClassifier or …Regressor",
    "numba": "use numpy: vectorise the loop",
    "cupy": "use numpy",
    "cvxpy": "use scipy.optimize",
    "pulp": "use scipy.optimize.milp or linprog",
    "ortools": "use scipy.optimize or networkx",
    "igraph": "use networkx",
    "graphviz": "use networkx with matplotlib",
    "docx": "use zipfile and lxml: a .docx is a zip of XML",
    "pptx": "use zipfile and lxml: a .pptx is a zip of XML",
    "PyPDF2": "use pypdf",
    "fitz": "use pypdf to read and reportlab to write PDFs",
    "pdfplumber": "use pypdf",
    "pdfminer": "use pypdf",
    "fpdf": "use reportlab",
    "h5py": "use numpy.savez, pickle or sqlite3",
    "tables": "use numpy.savez, pickle or sqlite3",
    "zstandard": "use gzip, bz2 or lzma",
    "_zstd": "use gzip, bz2 or lzma",
    "toml": "use tomllib to read and tomli_w to write",
    "tomli": "use tomllib",
    "ujson": "use json",
    "orjson": "use json",
    "simplejson": "use json",
    "ruamel": "use yaml",
    "pytz": "use zoneinfo",
    "arrow": "use datetime, zoneinfo or dateutil",
    "pendulum": "use datetime, zoneinfo or dateutil",
    "nltk": "use re, collections and sklearn.feature_extraction.text",
    "spacy": "use re, collections and sklearn.feature_extraction.text",
    "textblob": "use re, collections and sklearn.feature_extraction.text",
    "transformers": "use sklearn.feature_extraction.text",
    "rich": "use print or tabulate",
    "colorama": "use print",
    "termcolor": "use print",
    "prettytable": "use tabulate",
    "pydantic": "use dataclasses or attrs",
    "psutil": "use os and time; the answer's usage tells memory and time",
    "geopandas": "use pandas and matplotlib",
    "shapely": "use matplotlib.path or numpy",
    "tkinter": "use matplotlib: there is no display",
    "turtle": "use matplotlib or PIL.ImageDraw: there is no display",
    "pygame": "use matplotlib or PIL.ImageDraw: there is no display",
    "ipywidgets": "end the code with the expression to show it",
    "distutils": "it left Python in 3.12; use sysconfig, shutil or packaging",
    "imp": "it left Python in 3.12; use importlib",
    "pkg_resources": "use importlib.metadata or importlib.resources",
    "setuptools": "nothing can be built here",
    "pip": "nothing can be installed here",
    "_ssl": _HTTP,
    "resource": "it belongs to a Unix host; there is none",
    "fcntl": "it belongs to a Unix host; there is none",
    "pwd": "it belongs to a Unix host; there is none",
    "grp": "it belongs to a Unix host; there is none",
    "termios": "there is no terminal",
    "_curses": "there is no terminal",
    "readline": "there is no terminal",
    "js": "there is no bridge to JavaScript",
    "pyodide": "this is CPython on WASI, not Pyodide",
}
# Import names of packages that the user has put where code may import from, and why they can't be: set with each turn.
refused = {}
_QUOTED = re.compile(r"'([\w.]+)'|`Import (\w+)`")
_SAME = {"pytables": "tables"}
_NAME = re.compile(r"[A-Za-z0-9][\w.\-]*")
_known = {name.replace("_", "-").lower() for name in (*_PACKAGES, *_ALIASES)}


def missing_packages(words):
    """Returns those of the requirements of a `pip install` that the guest lacks."""
    names = [_NAME.match(word) for word in words if not word.startswith("-")]
    return [name[0] for name in names if name and name[0].replace("_", "-").lower() not in _known]


def hint(module):
    """Returns a sentence about a module that isn't here, or None when the name says nothing to us."""
    top = module.partition(".")[0]
    if top in refused:
        return f"{top} is among the user's packages, but can't be used here: {refused[top]}."
    instead = INSTEAD.get(top)
    if instead is not None:
        return f"{top} isn't available here: {instead}." 
    return f"Packages here, beside the standard library: {PROVIDED}. Nothing can be installed."


def adding(module):
    """Returns how the user could add a package that nothing here stands for, as a list of at most one sentence."""
    top = module.partition(".")[0]
    if top in refused or top in INSTEAD:
        return []
    return [f"The user can add {top} if it is pure Python: belljar packages add {top} --packages=DIR, and --packages=DIR for the server."]


def hints_in(message):
    """Returns what to use instead of the first package that a library says it lacks, such as pandas of pyarrow."""
    found = (quoted or imported for quoted, imported in _QUOTED.findall(message))
    names = (name for name in (_SAME.get(name, name) for name in found) if name in INSTEAD)
    return [hint(name) for name in names][:1]
