"""Stands for ssl: the host speaks TLS, and always checks certificates, with the authorities that it trusts.

What is set on a context is kept and has no effect.
"""

import enum
import os

from _belljar_wire import Wire as _Wire


class SSLError(OSError):
    """An error of TLS."""

    reason = library = None


class SSLZeroReturnError(SSLError):
    pass


class SSLWantReadError(SSLError):
    pass


class SSLWantWriteError(SSLError):
    pass


class SSLSyscallError(SSLError):
    pass


class SSLEOFError(SSLError):
    pass


class SSLCertVerificationError(SSLError, ValueError):
    """The host's certificate does not hold."""


CertificateError = SSLCertVerificationError
socket_error = OSError


class TLSVersion(enum.IntEnum):
    MINIMUM_SUPPORTED = -2
    SSLv3 = 768
    TLSv1 = 769
    TLSv1_1 = 770
    TLSv1_2 = 771
    TLSv1_3 = 772
    MAXIMUM_SUPPORTED = -1


class VerifyMode(enum.IntEnum):
    CERT_NONE = 0
    CERT_OPTIONAL = 1
    CERT_REQUIRED = 2


class VerifyFlags(enum.IntFlag):
    VERIFY_DEFAULT = 0
    VERIFY_CRL_CHECK_LEAF = 4
    VERIFY_CRL_CHECK_CHAIN = 12
    VERIFY_X509_STRICT = 32
    VERIFY_X509_TRUSTED_FIRST = 32768
    VERIFY_X509_PARTIAL_CHAIN = 524288


class Purpose(enum.Enum):
    SERVER_AUTH = "1.3.6.1.5.5.7.3.1"
    CLIENT_AUTH = "1.3.6.1.5.5.7.3.2"


class _SSLMethod(enum.IntEnum):
    PROTOCOL_TLS = 2
    PROTOCOL_SSLv23 = 2
    PROTOCOL_TLSv1 = 3
    PROTOCOL_TLSv1_1 = 4
    PROTOCOL_TLSv1_2 = 5
    PROTOCOL_TLS_CLIENT = 16
    PROTOCOL_TLS_SERVER = 17


class Options(enum.IntFlag):
    OP_ALL = 0x80000050
    OP_NO_SSLv2 = 0
    OP_NO_SSLv3 = 0x2000000
    OP_NO_TLSv1 = 0x4000000
    OP_NO_TLSv1_1 = 0x10000000
    OP_NO_TLSv1_2 = 0x8000000
    OP_NO_TLSv1_3 = 0x20000000
    OP_NO_COMPRESSION = 0x20000
    OP_NO_TICKET = 0x4000
    OP_NO_RENEGOTIATION = 0x40000000
    OP_CIPHER_SERVER_PREFERENCE = 0x400000
    OP_SINGLE_DH_USE = 0
    OP_SINGLE_ECDH_USE = 0
    OP_IGNORE_UNEXPECTED_EOF = 0x80
    OP_LEGACY_SERVER_CONNECT = 0x4


for _kind in (TLSVersion, VerifyMode, VerifyFlags, _SSLMethod, Options):
    globals().update({name: member for name, member in _kind.__members__.items() if name.isupper() or name.startswith(("OP_", "PROTOCOL_"))})
del _kind

HAS_SNI = HAS_ALPN = HAS_ECDH = HAS_TLSv1_2 = HAS_TLSv1_3 = HAS_NEVER_CHECK_COMMON_NAME = True
HAS_NPN = HAS_SSLv2 = HAS_SSLv3 = HAS_TLSv1 = HAS_TLSv1_1 = HAS_PSK = HAS_PHA = False
OPENSSL_VERSION = "OpenSSL 3.5.0 (the host's)"
OPENSSL_VERSION_NUMBER = 0x30500000
OPENSSL_VERSION_INFO = (3, 5, 0, 0, 0)
CHANNEL_BINDING_TYPES = ["tls-unique"]
_DEFAULT_CIPHERS = "DEFAULT"

RAND_bytes = os.urandom


class SSLSocket(_Wire):
    """What a context makes of a connection is that connection."""


class _Unavailable:
    def __init__(self, *_, **__):
        raise SSLError("TLS is spoken by the host here, not by the code: use urllib.request, http.client or requests")


class SSLObject(_Unavailable):
    pass


class MemoryBIO(_Unavailable):
    pass


class SSLSession(_Unavailable):
    pass


class SSLContext:
    """Settings that are kept and have no effect, but that `wrap_socket` turns a connection to TLS."""

    sslsocket_class = SSLSocket
    sslobject_class = SSLObject
    post_handshake_auth = None
    keylog_filename = None
    hostname_checks_common_name = False
    sni_callback = None

    def __init__(self, protocol=None, *_, **__):
        self.protocol = protocol
        self.options = Options.OP_ALL
        self.verify_flags = VerifyFlags.VERIFY_DEFAULT
        self.minimum_version = TLSVersion.TLSv1_2
        self.maximum_version = TLSVersion.MAXIMUM_SUPPORTED

    @property
    def verify_mode(self):
        return VerifyMode.CERT_REQUIRED

    @verify_mode.setter
    def verify_mode(self, _):
        pass

    @property
    def check_hostname(self):
        return True

    @check_hostname.setter
    def check_hostname(self, _):
        pass

    def wrap_socket(self, sock, server_side=False, do_handshake_on_connect=True, suppress_ragged_eofs=True, server_hostname=None, session=None):
        if not isinstance(sock, _Wire) or server_side:
            raise SSLError("only connections to a host that the user allowed can be wrapped")
        sock.scheme = "https"
        return sock

    def wrap_bio(self, *_, **__):
        return _Unavailable()

    def load_cert_chain(self, *_, **__):
        raise SSLError("certificates of a client can't be used here")

    def _ignore(self, *_, **__):
        return None

    load_verify_locations = load_default_certs = set_default_verify_paths = set_ciphers = set_alpn_protocols = _ignore
    set_npn_protocols = set_ecdh_curve = load_dh_params = _ignore

    def get_ca_certs(self, binary_form=False):
        return []

    def get_ciphers(self):
        return []

    def cert_store_stats(self):
        return {"x509": 0, "crl": 0, "x509_ca": 0}

    def session_stats(self):
        return {}


def create_default_context(purpose=Purpose.SERVER_AUTH, *, cafile=None, capath=None, cadata=None):
    return SSLContext(PROTOCOL_TLS_CLIENT)  # noqa: F821


def _create_unverified_context(protocol=None, **_):
    return SSLContext(protocol)


_create_default_https_context = create_default_context
_create_stdlib_context = _create_unverified_context


def get_default_verify_paths():
    import collections

    names = "cafile capath openssl_cafile_env openssl_cafile openssl_capath_env openssl_capath"
    return collections.namedtuple("DefaultVerifyPaths", names)(None, None, "SSL_CERT_FILE", "", "SSL_CERT_DIR", "")


def cert_time_to_seconds(cert_time):
    import calendar
    import time

    return calendar.timegm(time.strptime(cert_time, "%b %d %H:%M:%S %Y GMT"))
