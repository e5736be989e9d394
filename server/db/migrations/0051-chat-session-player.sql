alter table chat_session add foreign key ("userId") references player;
