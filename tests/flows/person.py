"""Somebody at a browser without JavaScript, over a real line: reads pages, follows links, presses buttons."""

from __future__ import annotations

import httpx

from tests.games.reading import Form, Page, filled


class Person:
    """One browser: cookies of its own, and the language it asks for."""

    def __init__(self, server: str, language: str = "en") -> None:
        self.server = server
        self.http = httpx.Client(
            base_url=server,
            headers={"Accept": "text/html", "Accept-Language": language},
            follow_redirects=True,
            timeout=20,
            trust_env=False,
        )

    def read(self, path: str) -> Page:
        """Follow a link to where it leads in the end."""
        return Page(self._answer(self.http.get(path)))

    def press(self, form: Form, button: str = "", **fields: str) -> Page:
        """Send a form by its button with this value, or by the first."""
        assert form.method == "post"
        url = httpx.URL(self.server).join(form.action)
        sent = self.http.post(url, data=filled(form, button, **fields), headers={"Origin": self.server})
        return Page(self._answer(sent))

    @staticmethod
    def _answer(response: httpx.Response) -> httpx.Response:
        assert response.status_code < 500, response.text[:2000]
        return response
