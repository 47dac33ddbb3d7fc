"""Where mail goes while no mail server is named: one file a mail, which any mail program opens."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend


class FileBackend(BaseEmailBackend):
    """Writes `EMAIL_FILE_PATH/<time>-<random>.eml`; the names sort by time. A reader never sees half a mail."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = Path(settings.EMAIL_FILE_PATH)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for mail in email_messages:
            name = f"{time.time_ns()}-{secrets.token_hex(4)}"
            part = folder / f"{name}.part"
            part.write_bytes(mail.message().as_bytes())
            os.replace(part, folder / f"{name}.eml")
        return len(email_messages)
