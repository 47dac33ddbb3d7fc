"""Fixtures for tests that need more than a database. CONTRIBUTING.md lists them.

Servers are started by tests/services.py; imports of Django and of the browser wait until a fixture needs them, so that
the pure tests start at once.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from club.stack.opening import worker as worker_of
from club.stack.process import Process, stop, wait_ready, wait_until
from tests import chromium
from tests.services import Services, services

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="session")
def stack(pytestconfig: pytest.Config) -> Services:
    """The PostgreSQL and the Valkey of this process."""
    return pytestconfig.stash[services]


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """The whole server is thrown away; no need to wait until nobody uses the database."""
    return True


@pytest.fixture(autouse=True)
def _empty_broker(stack: Services) -> None:
    """Each test begins with no task, no cached value and no counted try."""
    if stack.running:
        stack.valkey.command("FLUSHDB")


@pytest.fixture(autouse=True)
def _plain_reader() -> None:
    """A request leaves its reader's language and zone active in the thread; the next test begins without them."""
    from django.conf import settings
    from django.utils import timezone, translation

    translation.activate(settings.LANGUAGE_CODE)
    timezone.deactivate()


@pytest.fixture
def server(transactional_db: None, _web: str) -> str:
    """The club over HTTP and WebSocket; the address, without a slash at the end."""
    return _web


@pytest.fixture(scope="session")
def _web(django_db_setup: None) -> Iterator[str]:
    import uvicorn

    from club.config.asgi import application

    with socket.create_server(("127.0.0.1", 0)) as listener:
        web = uvicorn.Server(
            uvicorn.Config(
                application,
                lifespan="off",
                log_level="warning",
                timeout_graceful_shutdown=1,
                ws_max_size=16384,
                ws_max_queue=8,
                ws_per_message_deflate=False,
            )
        )
        thread = Thread(target=web.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        assert wait_until(lambda: web.started, 20)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        web.should_exit = True
        thread.join(5)


class SmtpSink:
    """A mail server that keeps what it is given."""

    def __init__(self) -> None:
        from aiosmtpd.controller import Controller

        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.host = "127.0.0.1"
        self.messages: list[EmailMessage] = []
        self.controller = Controller(self, hostname=self.host, port=self.port)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """Keep a message."""
        from email import message_from_bytes, policy

        self.messages.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"

    def wait_for(self, count: int, timeout: float = 10) -> list[EmailMessage]:
        """The messages, once there are `count` of them."""
        assert wait_until(lambda: len(self.messages) >= count, timeout), f"{len(self.messages)} of {count} mails came"
        return self.messages


@pytest.fixture(scope="session")
def _smtp() -> Iterator[SmtpSink]:
    sink = SmtpSink()
    sink.controller.start()
    yield sink
    sink.controller.stop()


@pytest.fixture
def smtp_sink(_smtp: SmtpSink, settings: Any) -> SmtpSink:
    """A real mail server; this process and the worker send to it."""
    _smtp.messages.clear()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = _smtp.host, _smtp.port
    return _smtp


@pytest.fixture
def worker(transactional_db: None, _worker: Process) -> Process:
    """A real Celery worker, a process of its own, on the database and the broker of the tests.

    It ends with the module: elsewhere it would do what a test wants to see done or left undone.
    """
    return _worker


@pytest.fixture(scope="module")
def _worker(django_db_setup: None, stack: Services, _smtp: SmtpSink) -> Iterator[Process]:
    from django.db import connection

    log = stack.log("worker")
    service = worker_of(
        "worker",
        "celery,mail",
        "--loglevel=INFO",
        env={
            "DJANGO_SETTINGS_MODULE": "club.config.settings.test",
            "DATABASE_URL": stack.postgres.url.rpartition("/")[0] + f"/{connection.settings_dict['NAME']}",
            "SMTP_HOST": _smtp.host,
            "SMTP_PORT": str(_smtp.port),
        },
        ready=lambda: " ready." in log.read_text(),
    )
    process = Process(service, log, [stack.lock.fd])
    try:
        wait_ready(process)
        yield process
    finally:
        stop([process])


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real Chromium. It ends with the module: its event loop would be in the way of asynchronous tests."""
    from playwright.sync_api import sync_playwright

    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # The browser's loop runs in this thread, where the tests use the database as usual.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        chrome = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.FLAGS)
        yield chrome
        chrome.close()


@pytest.fixture
def new_page(server: str, browser: Browser) -> Iterator[Callable[..., Page]]:
    """`new_page(member, **options)`: a page of a browser of its own, signed in as `member`, a guest's without one.

    `options` are those of playwright's `new_context`. At the end of the test no page may have thrown an error or broken
    the content security policy.
    """
    wrong: list[str] = []
    contexts = []

    def open_page(member: Any = None, **options: Any) -> Page:
        context = browser.new_context(base_url=server, **options)
        contexts.append(context)
        if member is not None:
            context.add_cookies(session_cookies(member, server))
        context.on("weberror", lambda error: wrong.append(str(error.error)))
        context.on("console", lambda said: wrong.append(said.text) if is_wrong(said) else None)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()
    assert not wrong, wrong


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """The page of somebody who never came before."""
    return new_page()


def session_cookies(member: Any, url: str) -> list[Any]:
    """The cookies of a signed-in member, as playwright takes them."""
    from django.test import Client

    client = Client()
    client.force_login(member)
    return [{"name": name, "value": morsel.value, "url": url} for name, morsel in client.cookies.items()]


def is_wrong(said: Any) -> bool:
    """Whether a console message is a fault of the page; a refusal by the server is not."""
    return said.type == "error" and not said.text.startswith("Failed to load resource")
