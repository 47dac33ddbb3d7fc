"""Events are facts: the database itself refuses to change or delete one."""

from django.db import migrations

FORBID = """
CREATE FUNCTION games_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON games_event
    FOR EACH ROW EXECUTE FUNCTION games_append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON games_setupline
    FOR EACH ROW EXECUTE FUNCTION games_append_only();
"""

ALLOW = """
DROP TRIGGER append_only ON games_event;
DROP TRIGGER append_only ON games_setupline;
DROP FUNCTION games_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]
    operations = [migrations.RunSQL(FORBID, ALLOW)]
