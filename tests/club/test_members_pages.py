"""Language, zone and theme of a reader; where `next` leads; what caches may keep; who may open what."""

from __future__ import annotations

import pytest
from django.urls import reverse

from club.members import tasks, tokens
from club.members.models import Member
from tests.factories import PASSWORD, GuestFactory, MemberFactory

pytestmark = pytest.mark.django_db

ANYBODYS = ["signup", "signin", "guest", "signout", "password_reset", "password_reset_done"]
MEMBERS = ["settings", "my_name", "zone", "my_address", "recovery", "merge_guest"]


@pytest.fixture
def member():
    return MemberFactory(language="tr")


# ---- language: account, cookie, browser


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("az", "az"),
        ("tr-TR,tr;q=0.9", "tr"),
        ("ru,en;q=0.5", "ru"),
        ("de, fr", "en"),
        ("", "en"),
        ("x" * 5000, "en"),
        ("../../etc", "en"),
        ("ru;q=\x00", "en"),
    ],
)
def test_a_strangers_language_is_the_browsers(visitor, header, language):
    response = visitor.get(reverse("signin"), headers={"accept-language": header})
    assert f'<html lang="{language}"' in response.text
    assert response["Content-Language"] == language


def test_the_cookie_goes_before_the_browser_and_the_account_before_both(visitor, member):
    response = visitor.post(reverse("set_language"), {"language": "az", "next": "/login/"})
    assert (response.status_code, response["Location"]) == (302, "/login/")
    russian = {"accept-language": "ru"}
    assert '<html lang="az"' in visitor.get(reverse("signin"), headers=russian).text
    visitor.force_login(member)
    assert '<html lang="tr"' in visitor.get(reverse("settings"), headers=russian).text


def test_a_member_takes_the_language_along(visitor, new_visitor, member):
    visitor.force_login(member)
    visitor.post(reverse("set_language"), {"language": "ru"})
    elsewhere = new_visitor()
    elsewhere.force_login(member)
    assert '<html lang="ru"' in elsewhere.get(reverse("settings")).text


@pytest.mark.parametrize("language", ["", "de", "RU", "../ru", "\x00", "ru\n", "x" * 9000])
def test_a_language_the_club_does_not_speak_changes_nothing(visitor, member, language):
    visitor.force_login(member)
    response = visitor.post(reverse("set_language"), {"language": language})
    assert response.status_code == 302
    assert "django_language" not in response.cookies
    assert visitor.member.language == "tr"


# ---- time zone


def test_the_browsers_zone_is_taken_until_the_member_chooses(visitor, member):
    visitor.force_login(member)
    assert visitor.post(reverse("zone"), {"guessed": "Asia/Baku"}).status_code == 204
    assert (visitor.member.time_zone, visitor.member.zone_chosen) == ("Asia/Baku", False)
    assert 'id="guess-zone"' in visitor.get(reverse("settings")).text
    visitor.post(reverse("zone"), {"zone": "Europe/Moscow"})
    visitor.post(reverse("zone"), {"guessed": "Asia/Tokyo"})
    assert (visitor.member.time_zone, visitor.member.zone_chosen) == ("Europe/Moscow", True)
    assert 'id="guess-zone"' not in visitor.get(reverse("settings")).text


@pytest.mark.parametrize(
    "zone", ["", "Mars/Olympus", "../../etc/passwd", "/etc/localtime", "\x00", "Factory", "x" * 999]
)
def test_a_zone_that_is_none_is_not_taken(visitor, member, zone):
    visitor.force_login(member)
    assert visitor.post(reverse("zone"), {"guessed": zone}).status_code == 204
    assert visitor.post(reverse("zone"), {"zone": zone}).status_code == 400
    assert visitor.member.time_zone == "UTC"


def test_pages_show_the_members_time_and_the_next_reader_has_none_of_it(visitor, new_visitor, member, time_machine):
    time_machine.move_to("2026-06-01T12:00:00+00:00", tick=False)
    Member.objects.update(time_zone="Asia/Baku")
    visitor.force_login(member)
    assert "16:00" in visitor.get(reverse("zone")).text
    second = new_visitor()
    second.force_login(MemberFactory())
    assert "12:00" in second.get(reverse("zone")).text


# ---- theme


@pytest.mark.parametrize(
    ("theme", "kept"), [("dark", "dark"), ("light", "light"), ("", ""), ("<script>", ""), ("\x00", "")]
)
def test_the_theme_is_a_cookie(visitor, theme, kept):
    visitor.post(reverse("theme"), {"theme": "dark"})
    visitor.post(reverse("theme"), {"theme": theme})
    html = visitor.get(reverse("signin")).text.split("<head>")[0]
    assert (f'class="{kept}"' in html) == bool(kept)
    assert "script" not in html


def test_a_cookie_from_elsewhere_is_no_theme(visitor):
    visitor.cookies["theme"] = 'x" onload="alert(1)'
    assert "onload" not in visitor.get(reverse("signin")).text


# ---- where `next` leads

EVIL = [
    "//evil.example",
    "\\\\evil.example",
    "/\\evil.example",
    "https:evil.example",
    "https://evil.example",
    "http:///evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\t//evil.example",
    " //evil.example",
    "///evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "evil.example",
    "\x00",
    "/\x00/x",
    "/x\r\nSet-Cookie: a=b",
    "//testserver@evil.example",
    "/" + "\\" * 9,
]


@pytest.mark.parametrize("wished", EVIL, ids=repr)
def test_next_leads_nowhere_else(visitor, wished):
    answers = [
        visitor.post(reverse("set_language"), {"language": "az", "next": wished}),
        visitor.post(reverse("theme") + "?next=x", {"next": wished}),
        visitor.post(reverse("guest"), {"next": wished}),
        visitor.get(reverse("guest"), {"next": wished}),
    ]
    assert {answer["Location"] for answer in answers} == {"/"}
    visitor.post(reverse("signout"))
    member = MemberFactory()
    signed_in = visitor.post(reverse("signin"), {"login": member.name, "password": PASSWORD, "next": wished})
    assert signed_in["Location"] == "/"


@pytest.mark.parametrize("wished", ["/tables/", "/t/x/?a=1&b=%2F%2Fevil", "/%09/evil", "/ə/", "/?next=//evil"])
def test_next_leads_on_here(visitor, wished):
    location = visitor.post(reverse("guest"), {"next": wished})["Location"]
    assert location.startswith("/")
    assert not location.startswith("//")
    assert location.split("%")[0] == wished.split("%")[0].split("ə")[0]


# ---- who may open what


@pytest.mark.parametrize("name", MEMBERS)
def test_strangers_are_asked_to_sign_in_and_led_back(visitor, name):
    path = reverse(name)
    assert visitor.get(path)["Location"] == f"{reverse('signin')}?next={path}"


@pytest.mark.parametrize(
    ("referer", "led_to"),
    [("http://testserver/tables/?a=1", "/tables/%3Fa%3D1"), ("http://evil.example/x", "/"), ("", "/")],
)
def test_a_stranger_who_sends_a_form_is_led_back_to_its_page(visitor, referer, led_to):
    sent = visitor.post(reverse("my_name"), {"name": "x"}, headers={"referer": referer})
    assert sent["Location"] == f"{reverse('signin')}?next={led_to}"


@pytest.mark.parametrize("make", [MemberFactory, GuestFactory])
@pytest.mark.parametrize("name", [*ANYBODYS, *MEMBERS, "my_password"])
def test_pages_open_for_members_and_guests(visitor, make, name):
    visitor.force_login(make())
    assert visitor.get(reverse(name)).status_code in {200, 302}


@pytest.mark.parametrize("name", ANYBODYS)
def test_pages_open_for_strangers(visitor, name):
    response = visitor.get(reverse(name))
    assert response.status_code == 200
    assert 'style="' not in response.text
    assert "onclick" not in response.text


@pytest.mark.parametrize("name", ["set_language", "theme"])
def test_what_changes_something_takes_no_get(visitor, name):
    assert visitor.get(reverse(name)).status_code == 405


@pytest.mark.parametrize("name", [*ANYBODYS, *MEMBERS])
@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_other_methods_are_refused(visitor, name, method):
    assert getattr(visitor, method)(reverse(name)).status_code == 405


@pytest.mark.parametrize("name", [*ANYBODYS, *MEMBERS])
def test_no_cache_keeps_a_page(visitor, name):
    visitor.force_login(GuestFactory())
    response = visitor.get(reverse(name))
    assert response["Cache-Control"] == "private, no-store"
    assert "Cookie" in response["Vary"]


# ---- names and profiles


def test_a_member_changes_the_name(visitor, member):
    visitor.force_login(member)
    assert visitor.post(reverse("my_name"), {"name": " Çınar "})["Location"] == reverse("settings")
    assert (visitor.member.name, visitor.member.name_key) == ("Çınar", "çinar")


@pytest.mark.parametrize("name", ["", "admin", "\x00", "Ali\nVəli", "TAKEN", "Tаken", "takеn"])
def test_a_name_that_is_not_taken_leaves_the_old_one(visitor, member, name):
    MemberFactory(name="Taken")
    visitor.force_login(member)
    response = visitor.post(reverse("my_name"), {"name": name})
    assert response.status_code == 400
    assert "errorlist" in response.text
    assert visitor.member.name == member.name


def test_a_profile_says_who_and_since_when_and_nothing_else(visitor):
    member = MemberFactory(name="<b>Nar</b>", email="nar@example.org", email_confirmed=True)
    page = visitor.get(member.get_absolute_url()).text
    assert "<bdi>&lt;b&gt;Nar&lt;/b&gt;</bdi>" in page
    assert str(member.joined_at.year) in page
    assert "nar@example.org" not in page
    assert "guest" in visitor.get(GuestFactory().get_absolute_url()).text


@pytest.mark.parametrize("pk", ["00000000-0000-0000-0000-000000000000", "1", "x", "%00"])
def test_nobodys_profile_is_404(visitor, pk):
    assert visitor.get(f"/u/{pk}/").status_code == 404


def test_a_closed_members_profile_is_404(visitor):
    assert visitor.get(MemberFactory(is_active=False).get_absolute_url()).status_code == 404


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_links_of_mails_work_in_a_real_browser(new_page):
    """A browser says `Origin: null` from a page that tells nobody its address: no form may stand on such a page."""
    guest, member = GuestFactory(), MemberFactory()
    page = new_page()
    page.goto(reverse("recover", args=[tokens.new_recovery(guest)]))
    page.locator("main button").click()
    page.wait_for_url("**/me/recovery/")
    page.locator("main button").first.click()
    assert "/r/" in page.locator("#link").input_value()
    page.goto(reverse("confirm_address", args=[tokens.sign_claim(member, "a@example.org")]))
    page.locator("main button").click()
    page.wait_for_url("**/me/")
    member.refresh_from_db()
    page.goto(tasks.reset_path(member))
    page.locator("#id_password").fill("a house by the sea")
    page.locator("main button").click()
    page.wait_for_url("**/login/")
    member.refresh_from_db()
    assert member.email_confirmed
    assert member.check_password("a house by the sea")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_real_browser_tells_its_zone_once(new_page):
    page = new_page(timezone_id="Asia/Baku", locale="az")
    page.goto("/guest/")
    page.locator("main button").click()
    page.wait_for_url("**/")
    guest = Member.objects.get()
    assert (guest.time_zone, guest.language) == ("Asia/Baku", "az")

    Member.objects.update(time_zone="UTC")
    posts = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    with page.expect_response("**/me/zone/") as answer:
        page.goto("/me/")
    assert answer.value.status == 204
    page.goto("/me/")
    guest.refresh_from_db()
    assert guest.time_zone == "Asia/Baku"
    assert len(posts) == 1
