"""Figures and images on their way to the host: PNG, of bounded number and size."""

import functools
import io
import sys
import warnings

from _belljar.door import ask, field, quote
from _belljar.hooks import after_import, note
from _belljar.text import safe_str, type_name

_modules = sys.modules
MAX_PICTURES = 10
_MOST_BYTES = 1_048_576  # of one picture: clients count its base64 as text
_TRIES = 4
_DPI = 100
_NO_TRUETYPE = "Pillow has one small font here (ImageFont.load_default()) and opens no font files: draw larger text with matplotlib"
_GUI = "no window can open here: figures are sent with the answer"


class _Drawn:
    """Pictures of this turn."""

    count = 0
    side = 1_568
    saved = []  # figures written as SVG and the like


def begin(side):
    """Starts a turn; `side` is the largest side of a picture in pixels."""
    _Drawn.count = 0
    _Drawn.saved = []
    _Drawn.side = side if isinstance(side, int) and side > 0 else 1_568


def is_artist(value):
    """True for what plotting calls return (artists, lists and arrays of them), which says nothing to a reader."""
    if "matplotlib.artist" not in _modules:
        return False
    if isinstance(value, dict):
        return 0 < len(value) < 100 and all(_is_one_artist(item) or _is_artist_list(item) for item in value.values())
    return _is_one_artist(value) or _is_artist_list(value)


def _is_one_artist(value):
    kinds = (_modules["matplotlib.artist"].Artist, getattr(_modules.get("matplotlib.container"), "Container", ()))
    return isinstance(value, kinds) or type(value).__module__.startswith("seaborn.axisgrid")


def _is_artist_list(value):
    """True for a list, tuple or array of artists, some numbers (of a histogram, say) among them."""
    if type(value).__module__ == "numpy" and getattr(getattr(value, "dtype", None), "kind", "") == "O":
        value = list(value.flat)
    if not isinstance(value, (list, tuple)) or not 0 < len(value) < 10_000:
        return False
    is_number = [type(item).__module__.startswith("numpy") for item in value]
    return not all(is_number) and all(number or _is_part(item) for number, item in zip(is_number, value))


def _is_part(item):
    return _is_one_artist(item) or isinstance(item, (list, tuple)) and bool(item) and all(map(_is_one_artist, item))


def take_image(value, notes):
    """Sends the value as a picture when it is an image of PIL's, or a figure that is not open (those are sent anyway); True then."""
    figure = getattr(_modules.get("matplotlib.figure"), "Figure", ())
    if isinstance(value, figure) and not _is_open(value):
        _send_figure(value, "", notes)
        return True
    kind = getattr(_modules.get("PIL.Image"), "Image", ())
    if not isinstance(value, kind):
        return False
    try:
        image = value.convert("RGBA" if "A" in value.getbands() or "transparency" in value.info else "RGB")
        image.thumbnail((_Drawn.side, _Drawn.side))

        def save(data, scale):
            smaller = [max(1, int(side * scale)) for side in image.size]
            (image if scale == 1 else image.resize(smaller)).save(data, "PNG")

        _send("image", _packed(save), notes)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        notes.append(f"The image could not be sent: {type_name(error)}: {safe_str(error, 300)}")
    return True


def _is_open(figure):
    pyplot = _modules.get("matplotlib.pyplot")
    return pyplot is not None and any(pyplot.figure(number) is figure for number in pyplot.get_fignums())


def send_figures(notes):
    """Sends matplotlib's open figures and closes them, so that no later turn sends them again."""
    pyplot = _modules.get("matplotlib.pyplot")
    if pyplot is None:
        return
    try:
        for number in pyplot.get_fignums():
            _send_figure(pyplot.figure(number), number, notes)
            if (figure := pyplot.figure(number)) in _Drawn.saved:
                _Drawn.saved.remove(figure)
        for figure in _Drawn.saved:
            _send_figure(figure, "", notes)
        _Drawn.saved = []
    finally:
        drop()


def keep_figure(figure):
    """Remembers a figure that was saved in a form which is no picture: it is sent, though it be closed meanwhile."""
    if figure not in _Drawn.saved and len(_Drawn.saved) <= MAX_PICTURES:
        _Drawn.saved.append(figure)


def drop():
    """Closes the open figures, and the font files that matplotlib keeps open: no descriptor outlives a turn."""
    pyplot = _modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
    fonts = getattr(_modules.get("matplotlib.font_manager"), "_get_font", None)
    if hasattr(fonts, "cache_clear"):
        fonts.cache_clear()


def _send_figure(figure, number, notes):
    if _Drawn.count >= MAX_PICTURES:
        _send("figure", b"", notes)
        return
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            side = max(figure.get_size_inches())
            dpi = min(figure.dpi, _Drawn.side / side) if side > 0 else _DPI
            data = _packed(lambda file, scale: figure.savefig(file, format="png", dpi=dpi * scale))
        _note_glyphs(caught, notes)
        _send("figure", data, notes)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        notes.append(f"{f'Figure {number}' if number else 'The figure'} could not be drawn: {type_name(error)}: {safe_str(error, 300)}")


def _packed(save):
    """Returns the PNG that `save(file, scale)` writes, at a scale at which it is no larger than pictures may be."""
    scale = 1
    for _ in range(_TRIES):
        file = io.BytesIO()
        save(file, scale)
        size = file.tell()
        if size <= _MOST_BYTES:
            break
        scale *= 0.9 * (_MOST_BYTES / size) ** 0.5
    return file.getvalue()


def _send(stem, data, notes):
    _Drawn.count += 1
    if _Drawn.count > MAX_PICTURES:
        notes.append(f"Only the first {MAX_PICTURES} pictures were sent.")
        return
    name = f"{stem}-{_Drawn.count}.png"
    ask("picture", [field("name", quote(name)), field("mime_type", quote("image/png"))], data)


def _note_glyphs(caught, notes):
    missing = {}
    for warning in caught:
        text = str(warning.message)
        if text.startswith("Glyph "):
            code = text[len("Glyph ") :].partition(" ")[0]
            if code.isdigit():
                missing[chr(int(code))] = None
    if missing:
        drawn = "".join(list(missing)[:20])
        notes.append(f"The fonts here have no glyph for {drawn!r}: drawn as boxes. They cover Latin, Greek and Cyrillic.")


@after_import("matplotlib.pyplot")
def _adapt_pyplot(pyplot):
    def show(*args, **kwargs):
        """Sends the open figures with the answer."""
        pictured = []
        send_figures(pictured)
        for text in pictured:
            note(text)

    pyplot.show = show
    switch = pyplot.switch_backend

    def switch_backend(newbackend):
        """Keeps Agg where a window would be needed."""
        switch(newbackend if _is_drawn_in_memory(newbackend) else "agg")

    pyplot.switch_backend = switch_backend
    pyplot.switch_backend("agg")


@after_import("matplotlib")
def _adapt_matplotlib(matplotlib):
    use = matplotlib.use

    def use_backend(backend, *, force=True):
        """As matplotlib.use, but Agg stands in for a backend that opens windows."""
        use(backend if _is_drawn_in_memory(backend) else "agg", force=force)

    use_backend.__name__ = "use"
    matplotlib.use = use_backend
    matplotlib.rcParams["backend"] = "agg"


@after_import("matplotlib.figure")
def _adapt_figure(figure):
    def show(self, warn=True):
        """Does nothing: open figures are sent at the end of the turn."""

    figure.Figure.show = show
    save = figure.Figure.savefig

    @functools.wraps(save)
    def savefig(self, fname, *args, **kwargs):
        save(self, fname, *args, **kwargs)
        form = kwargs.get("format") or str(fname).rpartition(".")[2]
        if str(form).lower() in ("svg", "pdf", "eps", "ps"):
            keep_figure(self)

    figure.Figure.savefig = savefig


class _OnceFilter:
    """Turns the font manager's warnings, one for each text that is drawn, into a note."""

    def filter(self, record):
        text = record.getMessage()
        if not text.startswith("findfont: "):
            return True
        note(f"{text.removeprefix('findfont: ').rstrip('.')}: drawn in DejaVu Sans.")
        return False


@after_import("matplotlib.font_manager")
def _adapt_fonts(fonts):
    fonts._log.addFilter(_OnceFilter())


@after_import("PIL.Image")
def _adapt_pillow(image):
    def show(self, title=None):
        """Sends the image with the answer."""
        pictured = []
        take_image(self, pictured)
        for text in pictured:
            note(text)

    image.Image.show = show


@after_import("PIL.ImageFont")
def _adapt_lettering(fonts):
    if not isinstance(fonts.core, _modules["PIL._util"].DeferredError):
        return

    def truetype(font=None, size=10, index=0, encoding="", layout_engine=None):
        """Fails as for a font file that is not there: there is no FreeType in this Pillow."""
        raise OSError(_NO_TRUETYPE)

    def load_default(size=None):
        """The small built-in font, whatever the size."""
        if size is not None:
            note(_NO_TRUETYPE)
        return plain()

    plain = fonts.load_default_imagefont
    fonts.truetype = truetype
    fonts.load_default = load_default


def _is_drawn_in_memory(backend):
    return str(backend).lower() in ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")
