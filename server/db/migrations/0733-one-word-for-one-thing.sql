-- What operators read says one word for one thing (decision 0795). A title that an operator gave stays.

update param_setting p set title = t.title from (values
  ('limit.raiseWaitHours', '玩家调高或取消自己的限额多少小时后生效（1 至 8760）', '用户调高或取消自己的限额多少小时后生效（1 至 8760）'),
  ('bet.holdPayoutAbove', '单张注单派彩超过此金额须人工确认后入账（0 为不限）', '单张注单派彩超过此金额须放行后入账（0 为不限）'),
  ('bet.siteCancel', '封盘前允许平台撤单', '封盘前允许玩家站撤单'),
  ('invite.reward', '每邀请一名有效玩家的奖励（0 为不奖励）', '每邀请一名有效用户的奖励（0 为不奖励）'),
  ('mail.fromAddress', '邮件发件人地址（空为邮件配置的用户名）', '邮件发件人地址（留空为邮件配置的用户名）')
) as t (key, seeded, title) where p.key = t.key and p.title = t.seeded;

update menu set title = '设置用户限额' where type = 'BTN' and path = 'user:limit:set' and title = '设置玩家限额';

-- A release is refused where the reason would be another one now: what waits says it as it is said from now on.
update approval set why = '封盘后撤单一律须复核' where status = 'PENDING' and why = '封盘后撤销注单一律须复核';
update approval a set why = said.parts[1] || '超过 ' || to_char(said.parts[2]::numeric, 'FM999,999,999,999,999,990.0099')
from (
  select id, regexp_match(why, '^(人工加扣款|同一人一天内对该账户的人工加扣款累计|提现打款)超过 ([0-9]+(?:\.[0-9]+)?)$') as parts
  from approval where status = 'PENDING'
) said where a.id = said.id and said.parts is not null;
