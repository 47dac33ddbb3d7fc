"""Friendly names for guests, in the visitor's language: a quality and a being that go together in grammar.

Words stand as they are shown; nothing here is re-cased. In Russian the adjective agrees with the noun's gender.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator

_RU_QUALITIES = """
Тихий/Тихая Весёлый/Весёлая Смелый/Смелая Добрый/Добрая Быстрый/Быстрая Мудрый/Мудрая Ловкий/Ловкая
Солнечный/Солнечная Лунный/Лунная Звёздный/Звёздная Снежный/Снежная Лесной/Лесная Горный/Горная Полевой/Полевая
Речной/Речная Степной/Степная Северный/Северная Южный/Южная Утренний/Утренняя Вечерний/Вечерняя Летний/Летняя
Зимний/Зимняя Весенний/Весенняя Осенний/Осенняя Золотой/Золотая Янтарный/Янтарная Рыжий/Рыжая Пушистый/Пушистая
Шустрый/Шустрая Бодрый/Бодрая Спокойный/Спокойная Светлый/Светлая Щедрый/Щедрая Честный/Честная Верный/Верная
Славный/Славная Сонный/Сонная Бойкий/Бойкая Отважный/Отважная Ясный/Ясная Ласковый/Ласковая Чуткий/Чуткая
Гордый/Гордая Озорной/Озорная Вольный/Вольная
"""
_RU_HE = """
Лис Барсук Ёжик Енот Бобёр Медведь Заяц Кот Тигр Барс Олень Лось Филин Сокол Журавль Аист Дельфин Хомяк Скворец
Снегирь Дрозд Дятел Соболь Тюлень Кедр Клён Ландыш Василёк Чижик
"""
_RU_SHE = """
Лиса Белка Сова Выдра Рысь Ласточка Синица Чайка Пчела Черепаха Панда Ромашка Рябина Сирень Берёза Калина Мята
Стрекоза Горлица Цапля Иволга
"""

_AZ_QUALITIES = """
Şən Sakit Cəsur Mehriban Ağıllı Çevik Günəşli Ulduzlu Qarlı Qızılı Mavi Yaşıl Sürətli Səbirli Səxavətli Sədaqətli
Xoşbəxt Gülərüz Nəğməkar Parlaq Sərin Dürüst Müdrik Qoçaq İgid Zirək Diribaş Nazlı Yumşaq Tüklü Sevimli Həssas
Bacarıqlı Uğurlu Bəxtli Mərd Cəld Oyaq Qayğıkeş Zərif Xeyirxah Çalışqan Nikbin İşıqlı Səmimi
"""
_AZ_BEINGS = """
Pələng Tülkü Kirpi Dovşan Ceyran Maral Qartal Şahin Laçın Bülbül Qaranquş Durna Leylək Kəpənək Arı Sincab Ayı Aslan
Bəbir Delfin Tısbağa Bayquş Göyərçin Kəklik Turac Samur Panda Nar Heyva Çinar Palıd Lalə Nərgiz Bənövşə Yasəmən
Qızılgül Reyhan Zanbaq Söyüd Püstə Ərik Albalı Ulduz
"""

_TR_QUALITIES = """
Neşeli Sakin Cesur Bilge Çevik Güneşli Yıldızlı Karlı Altın Gümüş Mavi Yeşil Hızlı Sabırlı Cömert Sadık Mutlu Güleç
Parlak Serin Dürüst Yiğit Uyanık Yumuşak Tüylü Sevimli Becerikli Uğurlu Şanslı Mert Nazik Çalışkan İyimser Işıklı
İçten Usta Kıvrak Atak Narin Uysal Şirin Zarif Dingin Gezgin Coşkun Şakacı
"""
_TR_BEINGS = """
Kirpi Tilki Tavşan Ceylan Geyik Kartal Şahin Doğan Bülbül Kırlangıç Turna Leylek Kelebek Arı Sincap Ayı Aslan Kaplan
Kurt Pars Yunus Baykuş Güvercin Keklik Serçe Martı Samur Panda Vaşak Porsuk Kunduz Nar Ayva Çınar Meşe Lale Nergis
Menekşe Yasemin Papatya Zambak Söğüt Fıstık Kayısı Kiraz Yıldız Karanfil
"""

_EN_QUALITIES = """
Quiet Merry Brave Kind Swift Wise Nimble Sunny Starry Snowy Golden Silver Amber Emerald Gentle Patient Honest Loyal
Lucky Bright Calm Cheerful Clever Cosy Curious Daring Dreamy Eager Fair Fluffy Friendly Glad Happy Hopeful Humble
Jolly Keen Lively Mellow Misty Noble Playful Plucky Rosy Steady Warm Witty
"""
_EN_BEINGS = """
Fox Badger Hedgehog Hare Deer Eagle Falcon Robin Swallow Crane Stork Butterfly Bee Squirrel Bear Lion Tiger Wolf Otter
Beaver Dolphin Owl Dove Finch Sparrow Gull Sable Panda Lynx Marten Heron Wren Seal Koala Penguin Turtle Oak Maple
Tulip Daisy Violet Jasmine Lily Willow Cherry Apricot Clover
"""


def pairs(language: str) -> list[str]:
    """Every plain name of a language, English for a language without words of its own."""
    if language == "ru":
        he, she = zip(*(quality.split("/") for quality in _RU_QUALITIES.split()), strict=True)
        return _together(he, _RU_HE.split()) + _together(she, _RU_SHE.split())
    qualities, beings = {"az": (_AZ_QUALITIES, _AZ_BEINGS), "tr": (_TR_QUALITIES, _TR_BEINGS)}.get(
        language, (_EN_QUALITIES, _EN_BEINGS)
    )
    return _together(qualities.split(), beings.split())


def _together(qualities: Iterable[str], beings: list[str]) -> list[str]:
    return [f"{quality} {being}" for quality in qualities for being in beings]


def suggestions(language: str) -> Iterator[str]:
    """Names to try in turn, without end: a few plain ones, then with two digits, then with four."""
    names = pairs(language)
    for low, high, times in ((0, 0, 4), (10, 100, 20)):
        for _ in range(times):
            yield secrets.choice(names) + _number(low, high)
    while True:
        yield secrets.choice(names) + _number(1000, 10_000)


def _number(low: int, high: int) -> str:
    return f" {low + secrets.randbelow(high - low)}" if high else ""
