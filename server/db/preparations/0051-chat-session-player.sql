-- Before there were players a chat session could be added for any number. Nobody can own such a session any more.
delete from chat_session where "userId" not in (select id from player);
