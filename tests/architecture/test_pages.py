"""The reader of pages finds what it looks for."""

import pytest

from tests.architecture.pages import Page


@pytest.mark.parametrize(
    "text",
    [
        '<p style="color: red">',
        '<P STYLE="">',
        "<style>p {}</style>",
        "<svg><style>p {}</style></svg>",
        '<p onclick="f()">',
        '<svg onload="f()">',
        "<script>f()</script>",
        '<script nonce="x">f()</script>',
        '<script type="module">f()</script>',
        '<script src="https://elsewhere.example/x.js">',
        '<link rel="stylesheet" href="//elsewhere.example/x.css">',
        '<img src="data:image/png;base64,">',
        '<use xlink:href="https://elsewhere.example/x.svg#y">',
        '<a href="javascript:f()">',
        '<a href="https://elsewhere.example/">',
        '<form action="https://elsewhere.example/">',
        '<base href="/">',
        '<meta http-equiv="refresh" content="0; url=/x">',
        '<meta http-equiv="content-security-policy" content="">',
        '<iframe src="/">',
    ],
)
def test_the_reader_of_pages_finds_what_is_wrong(text):
    assert Page(text).faults


def test_the_reader_of_pages_lets_pass_what_is_right():
    fine = """<a href="/x?y#z"><svg><use href="#a"/></svg></a><script src="/static/x.js"></script>
        <meta http-equiv="refresh" content="15">
        <script type="application/json">{}</script><img src="/x.png"><form method="POST" action="/x"></form>"""
    assert not Page(fine).faults
    assert Page(fine).sends
