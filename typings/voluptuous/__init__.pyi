# Home Assistant serves probatio under the name voluptuous.
from probatio import *
from probatio import UNDEFINED as UNDEFINED
