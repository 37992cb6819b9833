"""Waiting: the host sleeps, and threads that were put off run meanwhile."""

import sys
import time

pause = time.sleep
