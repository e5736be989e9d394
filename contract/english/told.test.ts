import { describe, expect, it } from 'vitest';
import { toldInEnglish } from './told.ts';

describe('what the server says, in English', () => {
  it.each([
    ['记录不存在', 'The record does not exist'],
    ['用户名不能为空', 'User name must not be empty'],
    ['密码至少需要 8 个字符', 'Password must have at least 8 characters'],
    ['号码第 3 项的名称不能为空', 'Number no. 3 Name must not be empty'],
    ['操作员正在被使用，不能删除', 'Operator is in use and cannot be deleted'],
    ['已导入 1 行', '1 row imported'],
    ['已导入 60 行', '60 rows imported'],
    [
      '账号、密码或谷歌验证码错误，账号锁定 30 秒',
      'Wrong account, password or Google code; the account is locked for 30 seconds',
    ],
    ['人工加扣款超过 100', 'Manual credit or debit above 100'],
    ['玩法“特码”的“01”返还率 1.02，高于 1', '“01” of play way “特码”: return rate 1.02, above 1'],
    [
      '1 张注单待处理：规则无法执行：没有名为 x 的结果处理器',
      '1 slip held: The rules cannot be carried out: There is no result handler named x',
    ],
    [
      '不同的选号过多，不逐一计算；注单过多，未扣除注单与用户的派彩上限，实际亏损不会更大',
      'There are too many different selections to work them out; There are too many slips to take off the payout caps of slips and users; the real loss will not be greater',
    ],
    [
      '2 张注单待处理：派彩 1,000.00 超过 500.00，待放行；派彩 2,000.00 超过 500.00，待放行；其余由第 5 号结算处理',
      '2 slips held: Payout 1,000.00 above 500.00, waiting for release; Payout 2,000.00 above 500.00, waiting for release; the rest is done by settlement 5',
    ],
    [
      '周一、周六 00:00:00-01:55:00（每 300 秒一期）；09:50:00-22:00:00',
      'Mon, Sat 00:00:00-01:55:00 (a phase every 300 seconds); 09:50:00-22:00:00',
    ],
    [
      '修改成功；复核资金、复核操作员与权限的操作员不足两名，这些操作将不会执行',
      'Changed; Release money, Release operators and rights: fewer than two operators, so these actions will not be carried out',
    ],
    ['不允许访问该地址：只能使用 http 或 https', 'This address is not allowed: must use http or https'],
    ['系统管理 / 待复核', 'System / Waiting for approval'],
    ['游戏管理 / 删除游戏、号码与玩法分类', 'Games / Delete games, numbers and play way categories'],
    ['参数设置：/system/paramsSetting/list', 'Parameters: /system/paramsSetting/list'],
    ['“甲”将失去复核权限', '“甲” will lose the right to approve'],
    [
      '“甲”、“乙”、“丙”等 4 名操作员将有更多权限',
      '“甲”, “乙”, “丙” and others, 4 operators in all, will have more rights',
    ],
    [
      '“甲”将有复核权限；重置谷歌密钥“甲”：由“admin”于 2026-11-29 19:10:05',
      '“甲” will have the right to approve; Google key of “甲” reset by “admin” at 2026-11-29 19:10:05',
    ],
    [
      '验证码已发到该账号已登录的 Telegram 应用里，60 秒后可重新发送',
      "The code was sent to the account's Telegram app; it can be sent again after 60 seconds",
    ],
    ['号码 01、02 已存在', 'The number 01, 02 exists already'],
    ['01、02', '01、02'],
    ['已接手充值订单 42', 'Deposit 42 taken over'],
    [
      '选号方式的选择个数不能多于可选号码',
      'Kind of selection: How many are chosen must not be more than the numbers to choose from',
    ],
    ['已领取充值订单 5', 'Deposit 5 taken'],
  ])('%s', (chinese, english) => {
    expect(toldInEnglish(chinese)).toBe(english);
  });

  it('goes by the file where a text means something of its own there', () => {
    expect(toldInEnglish('充值订单')).toBe('Deposit');
    expect(toldInEnglish('充值订单', 'contract/screens.ts')).toBe('Deposits');
  });

  it('puts what the ledger says of itself into English, and leaves what operators wrote there', () => {
    const remark = (text: string) => toldInEnglish(text, 'contract/account-history.ts');
    expect(remark('第 20261128093 期')).toBe('Phase 20261128093');
    expect(remark('示例五分彩 第 20261128094 期')).toBe('示例五分彩 phase 20261128094');
    expect(remark('操作员 admin：补发 100%')).toBe('Operator admin: 补发 100%');
    expect(remark('操作员 admin')).toBe('Operator admin');
    expect(remark('2026-11-26 返点')).toBe('2026-11-26 commission');
    expect(remark('偿还欠款')).toBe('Debt repaid');
    for (const text of ['补发礼品 3 个', '示例充值', '已处理，成功', '用户 12', '充值'])
      expect(remark(text)).toBe(text);
  });

  it('leaves names that are found as they are, whatever word of the server they may be', () => {
    const found = (text: string) => toldInEnglish(text, 'contract/finding.ts');
    expect(found('用户编号 12 · 充值 · 张三')).toBe('User ID 12 · 充值 · 张三');
    expect(found('用户编号 3 · 金额 1,200.00 · 8801 · 处理中')).toBe(
      'User ID 3 · Amount 1,200.00 · 8801 · Pending',
    );
    expect(found('期号 20261128093')).toBe('Phase 20261128093');
    for (const text of ['示例五分彩 · 1,2,3', '已启用', '补发礼品 3 个', '操作员'])
      expect(found(text)).toBe(text);
  });

  it('leaves what operators wrote as it is', () => {
    for (const text of ['满百送十，多充多送', '示例五分彩', '张三、李四', 'plain', ''])
      expect(toldInEnglish(text)).toBe(text);
  });

  it('takes no longer for what somebody has made up to take long', () => {
    const longest = ['：', '（', '，', '、', '；', '第 ', '“', '”的“', ' 应为 ', '，记为 '].map((sign) =>
      sign.repeat(5_000),
    );
    const began = performance.now();
    for (const text of longest) toldInEnglish(text.slice(0, 20_000));
    // A pattern that tries all places for each of its values would take hours.
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
