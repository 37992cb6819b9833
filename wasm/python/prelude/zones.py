"""Local time where the C library knows UTC alone: `time.tzset` after `os.environ["TZ"]` was set."""

import datetime
import gc
import os
import sys
import time

_UTC = datetime.timezone.utc
_time = {name: getattr(time, name) for name in ("localtime", "mktime", "ctime", "strftime")}
_methods = {kind: gc.get_referents(kind.__dict__)[0] for kind in (datetime.date, datetime.datetime)}
_kept = {kind: dict(methods) for kind, methods in _methods.items()}
_utc_now = datetime.datetime.now


def install():
    """Adapts `time.tzset`, once."""
    time.tzset = tzset


def tzset():
    """Sets local time to the zone that the environment variable TZ names, UTC when there is none."""
    name = os.environ.get("TZ", "").removeprefix(":")
    zone = _zone(name) if name not in ("", "UTC", "GMT", "UTC0") else None
    if zone is None:
        _restore()
    else:
        _adapt_time(zone)
        _adapt_dates(zone)
    sys._clear_type_cache()


def _zone(name):
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise ValueError(f"no time zone is called {name!r}: take a name such as Europe/Berlin") from None


def _restore():
    vars(time).update(_time, tzname=("UTC", "UTC"), timezone=0, altzone=0, daylight=0)
    for kind, methods in _methods.items():
        for name in ("now", "today", "fromtimestamp", "astimezone", "timestamp"):
            if name in _kept[kind]:
                methods[name] = _kept[kind][name]


def _adapt_time(zone):
    def localtime(seconds=None, /):
        return _struct(datetime.datetime.fromtimestamp(time.time() if seconds is None else seconds, zone))

    def mktime(parts, /):
        year, month, day, hour, minute, second = tuple(parts)[:6]
        first = datetime.datetime(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
        moment = first + datetime.timedelta(days=day - 1, hours=hour, minutes=minute, seconds=second)
        return moment.replace(tzinfo=zone).timestamp()

    def strftime(form, parts=None, /):
        parts = localtime() if parts is None else parts
        if "%Z" in form or "%z" in form:
            offset = getattr(parts, "tm_gmtoff", None) or 0
            sign = "-" if offset < 0 else "+"
            form = form.replace("%Z", getattr(parts, "tm_zone", None) or "").replace("%z", f"{sign}{abs(offset) // 3600:02}{abs(offset) // 60 % 60:02}")
        return _time["strftime"](form, parts)

    def ctime(seconds=None, /):
        return time.asctime(localtime(seconds))

    now = datetime.datetime.fromtimestamp(time.time(), _UTC)
    halves = [now.replace(month=month, day=1).astimezone(zone) for month in (1, 7)]
    halves.sort(key=lambda half: bool(half.dst()))
    offsets = [-int(half.utcoffset().total_seconds()) for half in halves]
    vars(time).update(
        localtime=localtime, mktime=mktime, ctime=ctime, strftime=strftime, tzname=tuple(half.tzname() for half in halves),
        timezone=offsets[0], altzone=offsets[1], daylight=int(offsets[0] != offsets[1]),
    )


def _struct(local):
    parts = local.timetuple()
    return time.struct_time(tuple(parts), {"tm_zone": local.tzname(), "tm_gmtoff": int(local.utcoffset().total_seconds())})


def _adapt_dates(zone):
    kept = _kept[datetime.datetime]
    into = kept["astimezone"]
    stamp = kept["timestamp"]
    from_stamp = kept["fromtimestamp"].__get__

    def naive(cls, moment):
        return cls(moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second, moment.microsecond, fold=moment.fold)

    def now(cls, tz=None):
        moment = into(_utc_now(_UTC), tz or zone)
        return moment if tz is not None and cls is datetime.datetime else naive(cls, moment) if tz is None else cls.combine(moment.date(), moment.timetz())

    def fromtimestamp(cls, timestamp, tz=None):
        moment = from_stamp(None, cls)(timestamp, tz or zone)
        return moment if tz is not None else moment.replace(tzinfo=None)

    def astimezone(self, tz=None):
        aware = self if self.tzinfo is not None else self.replace(tzinfo=zone)
        return into(aware, tz or zone)

    def timestamp(self):
        return stamp(self if self.tzinfo is not None else self.replace(tzinfo=zone))

    methods = _methods[datetime.datetime]
    methods.update(now=classmethod(now), today=classmethod(lambda cls: now(cls)), fromtimestamp=classmethod(fromtimestamp), astimezone=astimezone, timestamp=timestamp)

    def today(cls):
        local = now(datetime.datetime)
        return cls(local.year, local.month, local.day)

    def date_from(cls, timestamp):
        local = fromtimestamp(datetime.datetime, timestamp)
        return cls(local.year, local.month, local.day)

    _methods[datetime.date].update(today=classmethod(today), fromtimestamp=classmethod(date_from))
