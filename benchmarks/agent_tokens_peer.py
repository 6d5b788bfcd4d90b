"""One peer on one question: PEER DATABASE URL QUESTION, started by agent_tokens.py in the peers' own Python.

Both run as their documentation shows them, with default settings. The last line printed holds versions and answer.
"""

from __future__ import annotations

import sys
from importlib.metadata import version


def langchain(database: str, url: str, question: str) -> str:
    """The SQL agent with tool calls."""
    from langchain_community.agent_toolkits import create_sql_agent
    from langchain_community.utilities import SQLDatabase
    from langchain_openai import ChatOpenAI

    model = ChatOpenAI(model="scripted", base_url=url, api_key="none", temperature=0)
    agent = create_sql_agent(model, db=SQLDatabase.from_uri(f"sqlite:///{database}"), agent_type="tool-calling")
    names = ("langchain", "langchain-community", "langchain-openai")
    return f"{' '.join(f'{name} {version(name)}' for name in names)}: {agent.invoke({'input': question})['output']}"


def llama_index(database: str, url: str, question: str) -> str:
    """The natural-language query engine over all tables."""
    from llama_index.core import MockEmbedding, SQLDatabase
    from llama_index.core.query_engine import NLSQLTableQueryEngine
    from llama_index.llms.openai_like import OpenAILike
    from sqlalchemy import create_engine

    model = OpenAILike(model="scripted", api_base=url, api_key="none", is_chat_model=True, context_window=128_000)
    tables = SQLDatabase(create_engine(f"sqlite:///{database}"))
    engine = NLSQLTableQueryEngine(tables, llm=model, embed_model=MockEmbedding(1))
    return f"llama-index-core {version('llama-index-core')}: {engine.query(question)}"


if __name__ == "__main__":
    peer, *arguments = sys.argv[1:]
    print({"langchain": langchain, "llama_index": llama_index}[peer](*arguments))
