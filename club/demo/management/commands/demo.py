"""`demo`: a small club to look at - four members in four languages, a moderator, tables and matches.

Everything is made by the services people use, so nothing here can stand that could not have happened.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from club.afterwords import services as afterwords
from club.demo.matches import play, seated
from club.members.models import Member
from club.moderation import services as moderation
from games import services

PASSWORD = "one-move-a-day"  # noqa: S105 - printed for everybody on a development machine

PEOPLE = {
    "ru": ("Анна", "anna@example.org", "Europe/Moscow"),
    "az": ("Leyla", "leyla@example.org", "Asia/Baku"),
    "tr": ("Işıl", "isil@example.org", "Europe/Istanbul"),
    "en": ("Grace", "grace@example.org", "Europe/London"),
}
MODERATOR = ("Nigar", "nigar@example.org", "Asia/Baku")


class Command(BaseCommand):
    help = "Fill an empty club with a few people, tables and matches, and print how to sign in."

    def handle(self, *args: Any, **options: Any) -> None:
        if not Member.objects.exists():
            with transaction.atomic():
                fill()
        self.stdout.write(f"Sign in with any of these names and the password {PASSWORD}")
        for language, (name, mail, _zone) in PEOPLE.items():
            self.stdout.write(f"  {name}  {mail}  ({language})")
        self.stdout.write(f"  {MODERATOR[0]}  {MODERATOR[1]}  (az, moderator)")


def fill() -> None:
    anna, leyla, isil, grace = (person(language, *who) for language, who in PEOPLE.items())
    person("az", *MODERATOR, is_moderator=True)
    # In mid-round at each title: once to move, once waiting, once in pairs.
    play(seated([anna, leyla, isil], "kozel", round_limit=3), moves=17, until=anna)
    play(seated([leyla, grace], "thousand"), moves=6, until=leyla)
    play(seated([isil, anna, grace, leyla], "kozel"), moves=9, until=isil)
    play(seated([grace, isil, anna], "thousand"), moves=11, until=grace)
    over = play(seated([anna, grace], "kozel", round_limit=1))
    afterwords.write(match_id=over.pk, member=grace, seat=0, phrase="fine_match", text="")
    rude = play(seated([leyla, isil], "thousand"))
    moderation.file(
        match_id=rude.pk,
        member=leyla,
        seat=1,
        category="rudeness",
        text="Yazışmada kobud söz işlətdi, xahiş edirəm baxın.",
    )
    services.open_table(member=isil, title="kozel", size=4, options={})
    services.open_table(member=grace, title="thousand", size=3, options={"five_of_a_kind": 10}, turn_hours=48)
    services.open_table(member=anna, title="kozel", size=2, options={"bald": True}, is_private=True)


def person(language: str, name: str, mail: str, zone: str, **flags: bool) -> Member:
    return Member.objects.create_user(
        name=name,
        email=mail,
        password=PASSWORD,
        email_confirmed=True,
        language=language,
        time_zone=zone,
        zone_chosen=True,
        **flags,
    )
