/** The side bar as it is seeded: folders in order, each with its screens; and the button codes of each screen. */
export const folders = [
  { title: '权限管理', iconClass: 'SafetyCertificateOutlined' },
  { title: '游戏管理', iconClass: 'TrophyOutlined' },
  { title: '注单管理', iconClass: 'FileTextOutlined' },
  { title: '用户管理', iconClass: 'TeamOutlined' },
  { title: '新闻管理', iconClass: 'ReadOutlined' },
  { title: '系统管理', iconClass: 'SettingOutlined' },
  { title: '会话管理', iconClass: 'MessageOutlined' },
] as const;

export type FolderTitle = (typeof folders)[number]['title'];

const screen = <P extends string>(
  path: P,
  folder: FolderTitle,
  title: string,
  iconClass: string,
  ...adds: readonly string[]
) => ({ path, folder, title, iconClass, adds });

/**
 * Every screen that needs a grant, by its route. `iconClass` names an icon of @ant-design/icons, `adds` the calls whose forms stand above its
 * list, which Ctrl-K offers too.
 */
export const screens = [
  screen('/main/pms/menu', '权限管理', '菜单管理', 'MenuOutlined', 'addMenu'),
  screen('/main/pms/role', '权限管理', '角色管理', 'IdcardOutlined', 'addRole'),
  screen('/main/pms/operator', '权限管理', '操作员管理', 'UserSwitchOutlined', 'addOperator'),
  screen('/main/pms/login-record', '权限管理', '登录日志', 'LoginOutlined'),
  screen('/main/pms/online-session', '权限管理', '在线会话', 'DesktopOutlined'),
  screen('/main/game/draw-desk', '游戏管理', '开奖工作台', 'DashboardOutlined'),
  screen('/main/game/lottery', '游戏管理', '游戏管理', 'TrophyOutlined', 'addGame', 'addGamePreset'),
  screen('/main/game/game-page', '游戏管理', '游戏详情', 'BookOutlined'),
  screen('/main/game/number', '游戏管理', '游戏号码管理', 'NumberOutlined'),
  screen('/main/game/playway-category', '游戏管理', '玩法分类管理', 'ApartmentOutlined'),
  screen('/main/game/game-category', '游戏管理', '游戏分类管理', 'AppstoreOutlined', 'addGameCategory'),
  screen('/main/game/playway', '游戏管理', '玩法管理', 'ControlOutlined'),
  screen('/main/game/open-record', '游戏管理', '开奖记录', 'HistoryOutlined'),
  screen('/main/game/open-plan', '游戏管理', '开奖计划', 'ScheduleOutlined'),
  screen('/main/game/spider', '游戏管理', '开奖采集', 'CloudDownloadOutlined', 'addSpider'),
  screen('/main/game/bet-latitude', '游戏管理', '投注维度', 'ColumnWidthOutlined'),
  screen('/main/bet/slip', '注单管理', '注单', 'FileTextOutlined'),
  screen('/main/bet/settlement', '注单管理', '结算', 'TransactionOutlined'),
  screen('/main/bet/exposure', '注单管理', '单期风险', 'AlertOutlined'),
  screen('/main/bet/limit', '注单管理', '限额', 'StopOutlined', 'addBetLimit'),
  screen('/main/bet/report', '注单管理', '盈亏报表', 'BarChartOutlined'),
  screen('/main/bet/rebate', '注单管理', '返水', 'GiftOutlined'),
  screen('/main/bet/rebate-rate', '注单管理', '返水比例', 'PercentageOutlined', 'addRebateRate'),
  screen('/main/bet/agent', '注单管理', '代理', 'ClusterOutlined', 'addAgent'),
  screen('/main/user/money-desk', '用户管理', '资金工作台', 'DollarOutlined'),
  screen('/main/user/user', '用户管理', '用户管理', 'UserOutlined', 'addUser'),
  screen('/main/user/user-page', '用户管理', '用户详情', 'CustomerServiceOutlined'),
  screen('/main/user/account', '用户管理', '账户管理', 'WalletOutlined'),
  screen('/main/user/account-history', '用户管理', '账变记录', 'SwapOutlined'),
  screen('/main/user/deposit-record', '用户管理', '充值订单', 'PayCircleOutlined'),
  screen('/main/user/withdraw-record', '用户管理', '提现订单', 'MoneyCollectOutlined'),
  screen('/main/news/category', '新闻管理', '新闻分类', 'TagsOutlined', 'addNewsCategory'),
  screen('/main/news/news', '新闻管理', '新闻管理', 'ReadOutlined', 'addNews'),
  screen('/main/system/params-setting', '系统管理', '参数设置', 'SlidersOutlined', 'addParamSetting'),
  screen('/main/system/mail-config', '系统管理', '邮件配置', 'MailOutlined', 'addMailConfig'),
  screen('/main/system/mail-outbox', '系统管理', '邮件发送记录', 'SendOutlined'),
  screen('/main/system/change-record', '系统管理', '操作日志', 'AuditOutlined'),
  screen('/main/system/approval', '系统管理', '待复核', 'FileProtectOutlined'),
  screen('/main/system/anchor', '系统管理', '封存锚点', 'LockOutlined'),
  screen('/main/session/my-session', '会话管理', '我的会话', 'MessageOutlined'),
] as const;

export type ScreenPath = (typeof screens)[number]['path'];

const button = <C extends string>(code: C, under: ScreenPath, title: string) => ({
  code,
  screen: under,
  title,
});

/** Every button code, under the screen whose menu it hangs from. */
export const buttons = [
  button('pms:menu:add', '/main/pms/menu', '新增菜单'),
  button('pms:menu:update', '/main/pms/menu', '编辑菜单'),
  button('pms:menu:delete', '/main/pms/menu', '删除菜单'),
  button('pms:role:add', '/main/pms/role', '新增角色'),
  button('pms:role:update', '/main/pms/role', '编辑角色'),
  button('pms:role:delete', '/main/pms/role', '删除角色'),
  button('pms:role:bindMenu', '/main/pms/role', '分配菜单'),
  button('pms:role:copy', '/main/pms/role', '复制角色'),
  button('pms:role:try', '/main/pms/role', '试用角色'),
  button('pms:operator:add', '/main/pms/operator', '新增操作员'),
  button('pms:operator:update', '/main/pms/operator', '编辑操作员'),
  button('pms:operator:delete', '/main/pms/operator', '删除操作员'),
  button('pms:operator:bindRole', '/main/pms/operator', '分配角色'),
  button('pms:operator:unlock', '/main/pms/operator', '解除登录锁定'),
  button('pms:operator:disable', '/main/pms/operator', '停用与启用操作员'),
  button('pms:operator:resetPassword', '/main/pms/operator', '重置操作员密码'),
  button('pms:onlineSession:end', '/main/pms/online-session', '下线'),
  button('game:lottery:add', '/main/game/lottery', '新增游戏'),
  button('game:lottery:update', '/main/game/lottery', '编辑游戏'),
  button('game:lottery:delete', '/main/game/lottery', '删除游戏、号码与玩法分类'),
  button('game:betLatitude:add', '/main/game/lottery', '新增投注维度'),
  button('game:playwayCategory:add', '/main/game/lottery', '新增玩法分类'),
  button('game:gameNumber:add', '/main/game/lottery', '新增号码'),
  button('game:gameNumber:update', '/main/game/number', '编辑号码'),
  button('game:playwayCategory:update', '/main/game/playway-category', '编辑玩法分类'),
  button('game:playWaySubCategory:add', '/main/game/playway-category', '新增玩法子分类'),
  button('game:playway:add', '/main/game/playway-category', '新增玩法'),
  button('game:playway:update', '/main/game/playway', '编辑玩法'),
  button('game:playway:delete', '/main/game/playway', '删除玩法'),
  button('game:odds:add', '/main/game/playway', '新增赔率'),
  button('game:openRecord:enter', '/main/game/open-record', '人工录入开奖结果'),
  button('approval:release:money', '/main/system/approval', '复核资金'),
  button('approval:release:odds', '/main/system/approval', '复核赔率'),
  button('approval:release:bets', '/main/system/approval', '复核注单与结算'),
  button('approval:release:draws', '/main/system/approval', '复核开奖'),
  button('approval:release:access', '/main/system/approval', '复核操作员与权限'),
  button('game:playway:stop', '/main/game/playway', '停押与恢复'),
  button('bet:slip:cancel', '/main/bet/slip', '撤单'),
  button('bet:settlement:release', '/main/bet/settlement', '放行大额派彩'),
  button('bet:phase:void', '/main/bet/settlement', '作废与恢复'),
  button('bet:limit:add', '/main/bet/limit', '新增限额'),
  button('bet:limit:update', '/main/bet/limit', '编辑限额'),
  button('bet:limit:delete', '/main/bet/limit', '删除限额'),
  button('bet:correction:apply', '/main/bet/settlement', '更正开奖结果'),
  button('bet:rebate:release', '/main/bet/rebate', '放行返水'),
  button('bet:rebate:rate', '/main/bet/rebate-rate', '新增、编辑与删除返水比例'),
  button('bet:agent:edit', '/main/bet/agent', '新增与编辑代理'),
  button('user:user:freeze', '/main/user/user', '冻结与解冻用户'),
  button('user:limit:set', '/main/user/user', '设置用户限额'),
  button('user:note:add', '/main/user/user-page', '新增、编辑与置顶用户备注'),
  button('user:note:delete', '/main/user/user-page', '删除用户备注'),
] as const;

export type ButtonCode = (typeof buttons)[number]['code'];

/** A button code that guards no call: whoever holds it may release, on 待复核, what others have prepared of its kind. */
export type ReleaseRight = Extract<ButtonCode, `approval:release:${string}`>;

const isReleaseRight = (code: ButtonCode): code is ReleaseRight => code.startsWith('approval:release:');

/** Every right to release. */
export const releaseRights: readonly ReleaseRight[] = buttons.map(({ code }) => code).filter(isReleaseRight);

/** What a menu's expression must match to give a right to release; no call is made there. */
export const pathOfRight = (right: ReleaseRight): string => `/${right.replaceAll(':', '/')}`;

/**
 * Whether a menu's path is a route of the console: below this server's root. Anything else that a link took (`javascript:…`,
 * `//elsewhere`) would run or lead elsewhere.
 */
export const isRoute = (path: string): boolean => /^\/(?![/\\])\P{Cc}*$/u.test(path);

interface Shown {
  readonly type: 'FOLDER' | 'MENU' | 'BTN';
  readonly path: string | null;
}

/** Whether a menu that is held opens this route of the console. */
export const opensRoute = ({ type, path }: Shown, route: string): boolean =>
  type === 'MENU' && path === route;

/** Routes that every signed-in operator may open, without a menu of their own. */
export const openRoutes = {
  safe: { path: '/main/other/safe', title: '安全中心' },
  document: { path: '/main/other/document', title: '操作手册' },
  overview: { path: '/main/analysis/bashboard', title: '数据概览' },
} as const;

/** Whether every signed-in operator may open a route. */
export const isOpenRoute = (route: string): boolean =>
  Object.values(openRoutes).some(({ path }) => path === route);
