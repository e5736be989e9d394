-- A parameter that is a switch on the screen needs no hint at the words it is kept by, and what lists mails is called so everywhere. A title
-- that an operator gave stays.

-- Rebates that were worked out go by values, not by titles.
create or replace trigger rebate_parameters_stale after update of value on param_setting for each row
  when (new.key like 'rebate.%' or new.key like 'invite.%') execute function rebates_stale();

update param_setting p set title = t.title from (values
  ('draw.autoGenerate', '每晚自动生成次日开奖计划（true 或 false）', '每晚自动生成次日开奖计划'),
  ('security.secondFactorRequired', '登录必须使用谷歌验证码（true 或 false）', '登录必须使用谷歌验证码'),
  ('console.watermark', '在控制台上显示操作员与时间的水印（true 或 false）', '在控制台上显示操作员与时间的水印'),
  ('approval.enabled', '重要操作须由另一名操作员复核（true 或 false）', '重要操作须由另一名操作员复核'),
  ('bet.siteCancel', '封盘前允许平台撤单（true 或 false）', '封盘前允许平台撤单'),
  ('rebate.ownSlips', '代理本人的注单也计返点（true 或 false）', '代理本人的注单也计返点'),
  ('retention.mailDays', '发件箱保留天数（至少 7，0 为永久）', '邮件发送记录保留天数（至少 7，0 为永久）')
) as t (key, seeded, title) where p.key = t.key and p.title = t.seeded;
