"""Language models behind one protocol. Importing this room imports no client and no runtime."""

from dragoman.models.budgeted import Budget, BudgetedModel
from dragoman.models.by_role import ROLES, Metered, ModelsByRole, Spent
from dragoman.models.cached import CachedModel
from dragoman.models.hosted import HostedModel
from dragoman.models.model import (
    Choice,
    Message,
    Model,
    OnText,
    Reply,
    Settings,
    SqlForm,
    Tool,
    ToolCall,
    Usage,
)
from dragoman.models.open_model import open_model
from dragoman.models.recorded import RecordedModel
from dragoman.models.reply_cache import ReplyCache
from dragoman.models.request import Request
from dragoman.models.request_key import request_key
from dragoman.models.retrying import Backoff, RetryingModel
from dragoman.models.scripted import ScriptedModel

__all__ = [
    "ROLES",
    "Backoff",
    "Budget",
    "BudgetedModel",
    "CachedModel",
    "Choice",
    "HostedModel",
    "Message",
    "Metered",
    "Model",
    "ModelsByRole",
    "OnText",
    "RecordedModel",
    "Reply",
    "ReplyCache",
    "Request",
    "RetryingModel",
    "ScriptedModel",
    "Settings",
    "Spent",
    "SqlForm",
    "Tool",
    "ToolCall",
    "Usage",
    "open_model",
    "request_key",
]
