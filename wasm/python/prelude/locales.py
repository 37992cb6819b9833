"""Locales where the C library has none but its own: numbers and money as in the usual ones."""

import sys

from _belljar.hooks import after_import, note

# Name: decimal point, thousands separator, currency, its symbol, and whether the symbol comes first and is spaced.
_LOCALES = {
    "en_US": (".", ",", "USD", "$", 1, 0),
    "en_GB": (".", ",", "GBP", "£", 1, 0),
    "en_CA": (".", ",", "CAD", "$", 1, 0),
    "en_AU": (".", ",", "AUD", "$", 1, 0),
    "en_IN": (".", ",", "INR", "₹", 1, 0),
    "de_DE": (",", ".", "EUR", "€", 0, 1),
    "de_CH": (".", "’", "CHF", "CHF", 1, 1),
    "fr_FR": (",", "\u202f", "EUR", "€", 0, 1),
    "es_ES": (",", ".", "EUR", "€", 0, 1),
    "it_IT": (",", ".", "EUR", "€", 0, 1),
    "nl_NL": (",", ".", "EUR", "€", 1, 1),
    "pt_PT": (",", ".", "EUR", "€", 0, 1),
    "pt_BR": (",", ".", "BRL", "R$", 1, 1),
    "pl_PL": (",", "\u202f", "PLN", "zł", 0, 1),
    "sv_SE": (",", "\u202f", "SEK", "kr", 0, 1),
    "ja_JP": (".", ",", "JPY", "￥", 1, 0),
}
_PLAIN = frozenset(["", "C", "POSIX"])


def _conventions(name):
    point, separator, currency, symbol, first, spaced = _LOCALES[name]
    digits = 0 if currency == "JPY" else 2
    money = {
        "int_curr_symbol": f"{currency} ", "currency_symbol": symbol, "mon_decimal_point": point, "mon_thousands_sep": separator,
        "mon_grouping": [3, 3, 0], "positive_sign": "", "negative_sign": "-", "int_frac_digits": digits, "frac_digits": digits,
        "p_cs_precedes": first, "p_sep_by_space": spaced, "n_cs_precedes": first, "n_sep_by_space": spaced, "p_sign_posn": 1, "n_sign_posn": 1,
    }
    return {"decimal_point": point, "thousands_sep": separator, "grouping": [3, 3, 0]}, money


@after_import("locale")
def _adapt_locale(locale):
    if sys.platform != "wasi":
        return
    names = dict.fromkeys(("LC_CTYPE", "LC_COLLATE", "LC_TIME", "LC_MONETARY", "LC_NUMERIC"), "C")
    numbers = {getattr(locale, name): name for name in names}

    def setlocale(category, locale_name=None):
        """As locale.setlocale, for the usual locales; the names of days and months stay English."""
        concerned = list(names) if category == locale.LC_ALL else [numbers[category]]
        if locale_name is None:
            return names[concerned[0]]
        asked = locale_name[0] if isinstance(locale_name, tuple) else locale_name
        name = (asked or "").partition(".")[0].partition("@")[0]
        if name not in _PLAIN and name not in _LOCALES:
            raise locale.Error("unsupported locale setting")
        parts = dict(zip(("LC_NUMERIC", "LC_MONETARY"), _conventions("en_US" if name in _PLAIN else name)))
        for part in concerned:
            names[part] = asked or "C"
            for key, value in parts.get(part, {}).items():
                locale._override_localeconv.pop(key, None)
                if name in _LOCALES:
                    locale._override_localeconv[key] = value
        if name in _LOCALES and name[:2] != "en":
            note(f"Numbers and money follow {name} in the functions of locale; names of days and months stay English.")
        return asked or "C"

    locale.setlocale = setlocale
