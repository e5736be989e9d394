/**
 * Every way a call can be refused: the code thrown in the server, the HTTP status, the envelope's code, and the words
 * an operator reads. Business refusals are HTTP 200 with code 400. `{name}` in a text is filled from the refusal.
 */
const refusal = (msg: string) => ({ status: 200, code: 400, msg }) as const;
const failure = (status: number, msg: string) => ({ status, code: status, msg }) as const;

export const failures = {
  badRequest: failure(400, '请求方式不支持或参数错误'),
  unauthenticated: { status: 200, code: 401, msg: '登录已过期，请重新登录' },
  forbidden: failure(403, '权限不足!'),
  pathNotFound: failure(404, '找不到页面'),
  requestTimeout: failure(408, '请求超时，请重试'),
  payloadTooLarge: failure(413, '提交的内容过大'),
  tooManyRequests: failure(429, '操作过于频繁，请稍后再试'),
  loginLocked: failure(429, '登录失败次数过多，请 {seconds} 秒后再试'),
  signInBusy: failure(429, '正在登录的人过多，请 {seconds} 秒后再试'),
  passwordLocked: failure(429, '旧密码错误次数过多，请 {seconds} 秒后再试'),
  headersTooLarge: failure(431, '请求头过大'),
  fault: failure(500, '系统错误'),
  notImplemented: failure(501, '该功能尚未开通'),
  unavailable: failure(503, '系统无响应'),
  contended: failure(503, '同一数据正被多处同时修改，请稍后再试'),

  invalid: refusal('{message}'),
  recordNotFound: refusal('记录不存在'),
  inUse: refusal('{what}正在被使用，不能删除'),
  taken: refusal('{what}已存在'),
  duplicate: refusal('数据已存在，不能重复'),
  referenced: refusal('关联的数据不存在或正在被使用'),
  stillRunning: refusal('上一次相同的操作仍在进行，请稍后再试'),
  idempotencyKeyReused: refusal('同一幂等键不能用于不同的请求'),
  sessionChanged: refusal('登录的操作员已更换，请重新加载页面'),
  loginRejected: refusal('账号、密码或谷歌验证码错误'),
  menuHasChildren: refusal('请先删除下级菜单'),
  menuParentInvalid: refusal('上级菜单须为{kind}'),
  grantNotHeld: refusal('不能授予自己没有的权限'),
  targetOutranks: refusal('不能操作权限超出自己的对象'),
  lastFullRights: refusal('至少要保留一名拥有全部权限的操作员'),
  deleteSelf: refusal('不能删除自己'),
  passwordWrong: refusal('旧密码错误'),
  secondFactorMissing: refusal('登录必须使用谷歌验证码，请联系管理员为您重置谷歌密钥'),
  ownKeyMissing: refusal('请先为自己的账号重置谷歌密钥，再开启此参数'),
  amountOutOfLimits: refusal('金额不能{limit}'),
  paramInUse: refusal('此参数由系统使用，不能删除，也不能修改参数键'),
  passwordUnchanged: refusal('新密码不能与旧密码相同'),

  mailAddressInvalid: refusal('须为一个邮箱地址'),
  lineBreakForbidden: refusal('{what}不能含有换行或控制字符'),
  mailConfigActive: refusal('使用中的邮件配置不能删除，请先启用另一个'),
  mailConfigMissing: refusal('没有使用中的邮件配置'),
  mailTemplateEmpty: refusal('使用中的邮件配置没有设置{what}模板'),
  mailVariableMissing: refusal('缺少模板变量：{name}'),
  mailFailed: refusal('邮件未能发出：{reason}'),
  mailNotFailed: refusal('只有发送失败的邮件可以重新发送'),

  exportsBusy: refusal('正在进行的导出过多，请稍后再试'),

  hostForbidden: refusal('不允许访问内部地址：{host}'),
  hostUnresolved: refusal('无法解析主机：{host}'),
  urlForbidden: refusal('不允许访问该地址：{reason}'),

  betTimeOverlap: refusal('投注时间 {range} 与 {other} 重叠'),
  betTimeTooFast: refusal('投注时间 {range} 的开奖间隔须大于封盘秒数 {stopBetSecond}'),
  handlerUnknown: refusal('没有名为 {name} 的结果处理器'),
  oddsExist: refusal('号码 {numbers} 已有赔率，请先删除'),
  gameHasDraws: refusal('该游戏已有开奖记录，不能删除，可以停用'),
  gameHasBets: refusal('该游戏已有开始投注或开奖的期次，不能删除，可以停用'),
  chatNotConfigured: refusal('尚未配置 TELEGRAM_API_ID 与 TELEGRAM_API_HASH，不能登录会话，请联系系统管理员'),
  chatLibraryMissing: refusal('本机缺少聊天组件（TDLib），不能登录会话，请联系系统管理员'),
  chatNotActive: refusal('会话尚未启动，请先点击“去登录”'),
  chatStepMismatch: refusal('会话当前状态是“{state}”，不能提交{what}'),
  chatElsewhere: refusal('会话所在的服务器暂时没有响应，请过两分钟再试'),
  chatOffline: refusal('连不上 Telegram 服务器，请检查服务器的网络后再试'),
  chatSlow: refusal('Telegram 没有及时答复，请稍后再试'),
  chatLogoutOffline: refusal('连不上 Telegram 服务器，暂时不能退出；网络恢复后会自动完成退出'),
  chatRejected: refusal('{message}'),

  balanceTooLow: refusal('可用余额不足'),
  balanceTooHigh: refusal('余额超出上限'),
  orderDecided: refusal('该订单已处理'),

  tooManyPlans: refusal('一次最多生成 {most} 期，请缩小时间范围'),
  phaseTaken: refusal('期号 {phase} 已被其他时间的计划使用，请先更新期号或清除旧计划'),
  phaseDrawn: refusal('期号 {phase} 已有开奖结果，不能再生成计划，请先更新期号'),
  conflictMissing: refusal('只能采用来源给出过的结果'),
  localDrawFixed: refusal('本地开奖的结果可由任何人验证，不能更改'),
  nothingToFetch: refusal('该采集器不访问任何地址，无需试运行'),
  sourceBusy: refusal('该来源正在被采集，请 {seconds} 秒后再试'),
  collectorUnknown: refusal('没有名为 {name} 的采集器'),
} as const satisfies Record<string, { status: number; code: number; msg: string }>;

export type FailureCode = keyof typeof failures;
