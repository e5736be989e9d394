// Made from the migrated database by `npm run schema`, never by hand. What is narrower than its column stands in narrower.ts.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Json, Moment } from './columns.ts';

/** Every table as the database has it. */
export interface StoredTables {
  access_epoch: {
    singleton: Defaulted<boolean>;
    epoch: Defaulted<number>;
  };
  access_token: {
    hash: Buffer;
    sessionId: string;
    expireTime: Moment;
  };
  account: {
    id: GeneratedAlways<number>;
    userId: number;
    totalAmount: Defaulted<string>;
    availableAmount: Defaulted<string>;
    freezeAmount: Defaulted<string>;
    lastSeq: Defaulted<number>;
    lastHash: Defaulted<Buffer>;
    createTime: Defaulted<Moment>;
    debt: Defaulted<string>;
    debtSeq: Defaulted<number>;
    debtHash: Defaulted<Buffer>;
  };
  account_debt: {
    id: GeneratedAlways<number>;
    userId: number;
    debtSeq: number;
    kind: 'OWED' | 'REPAID' | 'WRITTEN_OFF';
    originDebt: string;
    amount: string;
    newDebt: string;
    accountSeq: number | null;
    changeType: 'WIN_REVERSAL' | 'REFUND_REVERSAL' | 'DEBT_REPAYMENT' | 'DEBT_WRITE_OFF';
    bizOrderNo: string | null;
    createTime: Moment;
    hash: Buffer;
  };
  account_history: {
    id: GeneratedAlways<number>;
    userId: number;
    accountSeq: number;
    originAmount: string;
    amount: string;
    newAmount: string;
    direction: string;
    changeType:
      | 'RECHARGE'
      | 'WITHDRAW'
      | 'BET'
      | 'WIN'
      | 'RETURN'
      | 'REBATE'
      | 'RECHARGE_GIVE'
      | 'MANUAL_ADDITION'
      | 'MANUAL_DEDUCTION'
      | 'INVITE_REWARD'
      | 'BET_REFUND'
      | 'WIN_REVERSAL'
      | 'REFUND_REVERSAL'
      | 'DEBT_REPAYMENT';
    bizOrderNo: string | null;
    desc: string | null;
    createTime: Defaulted<Moment>;
    hash: Buffer;
  };
  approval: {
    id: Defaulted<number>;
    createTime: Defaulted<Moment>;
    expireTime: Moment;
    status: Defaulted<'PENDING' | 'RELEASED' | 'REJECTED' | 'WITHDRAWN'>;
    call: string;
    summary: string;
    targetId: string | null;
    release: string;
    why: string;
    reason: string | null;
    input: Json;
    sealed: Buffer | null;
    before: Json | null;
    after: Json | null;
    digest: Buffer;
    makerId: number;
    maker: string;
    makerSession: string;
    makerAddress: string;
    makerAgent: string;
    checkerId: number | null;
    checker: string | null;
    checkerAddress: string | null;
    decideTime: Moment | null;
    decideReason: string | null;
  };
  bet_latitude: {
    id: GeneratedAlways<number>;
    gameId: number;
    name: string;
    resultIndex: string;
    resultHandlerName: string;
    handlerOptions: string | null;
    version: Defaulted<number>;
  };
  bet_limit: {
    id: GeneratedAlways<number>;
    version: Defaulted<number>;
    gameId: number | null;
    playWayId: number | null;
    minStake: string | null;
    maxStake: string | null;
    maxLineStake: string | null;
    maxUserStake: string | null;
    maxNumberPayout: string | null;
    maxLoss: string | null;
    payoutCapUnit: string | null;
    payoutCapLine: string | null;
    payoutCapSlip: string | null;
    payoutCapUser: string | null;
    createTime: Defaulted<Moment>;
  };
  bet_time_range: {
    id: GeneratedAlways<number>;
    gameId: number;
    start: string;
    end: string;
    openRate: number | null;
    weekdays: number[] | null;
  };
  bets_proof: {
    day: string;
    startTime: Defaulted<Moment>;
    endTime: Moment | null;
    slips: number | null;
    broken: number | null;
    problems: Defaulted<string[]>;
  };
  change_record: {
    id: GeneratedAlways<number>;
    createTime: Defaulted<Moment>;
    operatorId: number | null;
    userName: string;
    call: string;
    summary: string;
    targetId: string | null;
    input: Json;
    before: Json | null;
    after: Json | null;
    address: string;
    outcome: 'SUCCESS' | 'PREPARED' | 'REFUSED' | 'DENIED' | 'FAULT';
    msg: string | null;
  };
  chat_command: {
    id: GeneratedAlways<number>;
    sessionId: number;
    holder: string;
    sealed: Buffer | null;
    answer: Json | null;
    createTime: Defaulted<Moment>;
  };
  chat_session: {
    id: GeneratedAlways<number>;
    operatorId: number;
    userId: number;
    phone: string | null;
    clientId: string | null;
    authState: string | null;
    detail: string | null;
    lastActivityTime: Moment | null;
    databaseKey: Buffer | null;
    running: Defaulted<boolean>;
    place: string | null;
    holder: string | null;
    holderKey: Buffer | null;
    leaseTime: Moment | null;
    createTime: Defaulted<Moment>;
  };
  counted_list: {
    list: string;
    timeBits: number;
  };
  deposit: {
    id: GeneratedAlways<number>;
    userId: number;
    amount: string;
    usdtAmount: string | null;
    bankOrderNo: string;
    fromName: string | null;
    fromAccountNo: string | null;
    type: 'BANK_TRANSFER' | 'USDT_TRANSFER' | 'THIRD_PARTY';
    status: Defaulted<'SUCCESS' | 'FAIL' | 'PROCESSING'>;
    createTime: Defaulted<Moment>;
    successTime: Moment | null;
    reviewer: string | null;
    reviewTime: Moment | null;
    remark: string | null;
  };
  draw_alarm: {
    gameId: number;
    phase: string;
    reason: string;
    failures: Defaulted<number>;
    createTime: Moment;
    lastTime: Moment;
    nextTime: Moment;
  };
  draw_beacon: {
    gameId: number;
    phase: string;
    value: string;
    createTime: Defaulted<Moment>;
  };
  draw_claim: {
    id: GeneratedAlways<number>;
    recordId: number;
    source: string;
    result: string;
    openTime: Moment;
    createTime: Defaulted<Moment>;
  };
  draw_commitment: {
    gameId: number;
    phase: string;
    rules: Json;
    commitment: string;
    seed: Buffer;
    createTime: Defaulted<Moment>;
  };
  draw_correction: {
    id: GeneratedAlways<number>;
    recordId: number;
    operatorId: number;
    userName: string;
    oldResult: string;
    newResult: string;
    reason: string;
    createTime: Defaulted<Moment>;
  };
  draw_entry: {
    id: GeneratedAlways<number>;
    gameId: number;
    phase: string;
    result: string;
    evidence: string;
    reason: string;
    operatorId: number;
    userName: string;
    createTime: Defaulted<Moment>;
    dueTime: Moment;
    outcome: 'RECORDED' | 'OUTDONE' | null;
  };
  draw_plan: {
    id: GeneratedAlways<number>;
    gameId: number;
    phase: string;
    startTime: Moment;
    endTime: Moment;
    status: Defaulted<'WAITTING' | 'OPENING' | 'OPENED' | 'VOID'>;
    commitment: string | null;
    lateTime: Moment | null;
  };
  draw_plan_day: {
    gameId: number;
    day: string;
  };
  draw_record: {
    id: GeneratedAlways<number>;
    gameId: number;
    phase: string;
    result: string;
    openTime: Moment;
    createTime: Defaulted<Moment>;
    source: string | null;
    conflict: Defaulted<boolean>;
    seed: string | null;
  };
  draw_void: {
    gameId: number;
    phase: string;
    operatorId: number;
    userName: string;
    reason: string;
    createTime: Defaulted<Moment>;
  };
  draw_word: {
    gameId: number;
    phase: string;
    source: string;
    result: string;
    openTime: Moment;
    createTime: Defaulted<Moment>;
  };
  early_record: {
    gameId: number;
    phase: string;
    recordId: number;
    result: string;
    openTime: Moment;
    createTime: Moment;
    source: string | null;
    claims: Json;
  };
  exposure: {
    gameId: number;
    phase: string;
    playWayId: number;
    rulesId: number;
    number: string;
    stake: string;
    units: number;
    payout: string;
  };
  exposure_choice: {
    gameId: number;
    phase: string;
    rulesId: number;
    hash: Buffer;
    selection: string;
    stake: string;
    unitStake: string;
  };
  exposure_delta: {
    gameId: number;
    phase: string;
    playWayId: number;
    rulesId: number;
    number: string;
    stake: string;
    units: number;
    payout: string;
    selection: string | null;
    unitStake: string | null;
  };
  game: {
    id: GeneratedAlways<number>;
    name: string;
    categoryId: number;
    phase: string;
    phaseTime: Defaulted<Moment>;
    phaseRule: Defaulted<'RUNNING' | 'DAILY' | 'YEARLY'>;
    openRate: number;
    stopBetSecond: number;
    introduce: string | null;
    status: Defaulted<boolean>;
    betStatus: Defaulted<boolean>;
    version: Defaulted<number>;
    resultRule: Json | null;
    agreeSources: Defaulted<number>;
  };
  game_catalogue: {
    gameId: number;
    version: Defaulted<number>;
  };
  game_category: {
    id: GeneratedAlways<number>;
    name: string;
    iconClass: string | null;
    index: Defaulted<number>;
    version: Defaulted<number>;
  };
  game_number: {
    id: GeneratedAlways<number>;
    gameId: number;
    number: string;
    desc: string | null;
    version: Defaulted<number>;
  };
  idempotency_key: {
    operatorId: number;
    key: string;
    requestHash: Buffer;
    status: number | null;
    answer: Buffer | null;
    createTime: Defaulted<Moment>;
    claim: string | null;
  };
  limit_counter: {
    gameId: number;
    phase: string;
    kind: 'USER' | 'NUMBER' | 'CELL' | 'BOOK' | 'LOSS';
    scope: string;
    owner: number;
    number: string;
    taken: string;
    worst: Defaulted<string>;
    isFloored: Defaulted<boolean>;
    bound: GeneratedAlways<string>;
  };
  list_count: {
    list: string;
    key: string;
    timeBits: number;
    idBits: number;
    timeBlock: number;
    idBlock: number;
    n: number;
  };
  list_delta: {
    list: string;
    key: string;
    timeBlock: number;
    idBlock: number;
    n: number;
  };
  list_layout: {
    operatorId: number;
    screen: string;
    layout: Json;
  };
  list_start: {
    operatorId: number;
    screen: string;
    viewId: number;
  };
  list_view: {
    id: GeneratedAlways<number>;
    operatorId: number;
    roleId: number | null;
    screen: string;
    name: string;
    address: string;
  };
  local_game: {
    gameId: number;
    since: Moment | null;
  };
  login_record: {
    id: GeneratedAlways<number>;
    createTime: Defaulted<Moment>;
    operatorId: number | null;
    userName: string;
    address: string;
    outcome: 'SUCCESS' | 'REJECTED' | 'LOCKED' | 'HELD';
    msg: string;
    agent: Defaulted<string>;
  };
  mail_config: {
    id: GeneratedAlways<number>;
    host: string;
    port: number;
    username: string | null;
    password: Buffer | null;
    enableStarttls: Defaulted<boolean>;
    active: Defaulted<boolean>;
    registerTemplate: string | null;
    loginTemplate: string | null;
    addReceiveAccountTemplate: string | null;
    changeLoginPasswordTemplate: string | null;
    changeSecondPasswordTemplate: string | null;
    withdrawTemplate: string | null;
    version: Defaulted<number>;
  };
  mail_outbox: {
    id: GeneratedAlways<number>;
    template: string;
    to: string;
    content: Buffer | null;
    status: Defaulted<'PENDING' | 'SENDING' | 'SENT' | 'FAILED'>;
    attempts: Defaulted<number>;
    lastError: string | null;
    createTime: Defaulted<Moment>;
    nextTime: Defaulted<Moment | null>;
    sentTime: Moment | null;
  };
  menu: {
    id: GeneratedAlways<number>;
    title: string;
    type: 'FOLDER' | 'MENU' | 'BTN';
    iconClass: string | null;
    path: string | null;
    urlExpression: string | null;
    index: Defaulted<number>;
    parentId: number | null;
    createDate: Defaulted<Moment>;
    editDate: Defaulted<Moment>;
    version: Defaulted<number>;
  };
  news: {
    id: GeneratedAlways<number>;
    categoryId: number;
    title: string;
    content: string;
    important: Defaulted<boolean>;
    createTime: Defaulted<Moment>;
    version: Defaulted<number>;
  };
  news_category: {
    id: GeneratedAlways<number>;
    name: string;
    version: Defaulted<number>;
  };
  odds: {
    id: GeneratedAlways<number>;
    playWayId: number;
    numberId: number;
    odds: string;
    stopped: Defaulted<boolean>;
    version: Defaulted<number>;
  };
  operator: {
    id: GeneratedAlways<number>;
    userName: string;
    userNo: GeneratedAlways<string | null>;
    passwordHash: string;
    googleSecret: Buffer | null;
    googleSteps: Defaulted<number[]>;
    createDate: Defaulted<Moment>;
    editDate: Defaulted<Moment>;
    checkedHash: string | null;
    version: Defaulted<number>;
    disabled: Defaulted<boolean>;
    passwordTemporary: Defaulted<boolean>;
    lastLoginTime: Moment | null;
    lastLoginAddress: string | null;
    email: string | null;
  };
  operator_address: {
    id: GeneratedAlways<number>;
    operatorId: number;
    origin: string;
    address: string;
    agent: string;
    firstTime: Defaulted<Moment>;
    lastTime: Defaulted<Moment>;
    noted: boolean;
  };
  operator_role: {
    operatorId: number;
    roleId: number;
  };
  outbound_host: {
    host: string;
    nextTime: Moment;
  };
  param_setting: {
    id: GeneratedAlways<number>;
    title: string;
    key: string;
    value: string;
    version: Defaulted<number>;
  };
  pending_google_key: {
    operatorId: number;
    secret: Buffer;
    createTime: Defaulted<Moment>;
  };
  play_way: {
    id: GeneratedAlways<number>;
    gameId: number;
    subCategoryId: number;
    betLatitudeId: number;
    name: string;
    showRate: string | null;
    version: Defaulted<number>;
    selection: Json | null;
    oddsFrom: Defaulted<'NUMBER' | 'OUTCOME' | 'LOWEST'>;
    outcomes: Defaulted<Json>;
    stopped: Defaulted<boolean>;
  };
  play_way_category: {
    id: GeneratedAlways<number>;
    gameId: number;
    parentCategoryId: number | null;
    name: string;
    countOfRows: number;
    hideName: Defaulted<boolean>;
    version: Defaulted<number>;
  };
  player: {
    id: GeneratedAlways<number>;
    username: string | null;
    realName: string | null;
    nickName: string;
    agentId: number | null;
    level: Defaulted<number>;
    phone: string | null;
    parentId: number | null;
    email: string | null;
    createTime: Defaulted<Moment>;
    testAccount: Defaulted<boolean>;
    frozen: Defaulted<boolean>;
    freezeReason: string | null;
    excludedUntil: Moment | null;
    version: Defaulted<number>;
  };
  recovery_code: {
    operatorId: number;
    hash: Buffer;
    spendTime: Moment | null;
  };
  refresh_token: {
    hash: Buffer;
    sessionId: string;
    expireTime: Moment;
    spendTime: Moment | null;
  };
  role: {
    id: GeneratedAlways<number>;
    desc: string;
    name: string;
    createDate: Defaulted<Moment>;
    editDate: Defaulted<Moment>;
    version: Defaulted<number>;
  };
  role_menu: {
    roleId: number;
    menuId: number;
  };
  schema_migration: {
    name: string;
    checksum: string;
    applyTime: Defaulted<Moment>;
  };
  secret_canary: {
    singleton: Defaulted<boolean>;
    sealed: Buffer | null;
  };
  seed_row: {
    key: string;
    value: string;
  };
  session: {
    id: string;
    operatorId: number;
    address: string;
    createTime: Defaulted<Moment>;
    revokeTime: Moment | null;
    agent: Defaulted<string>;
    stepUpTime: Moment | null;
  };
  session_use: {
    sessionId: string;
    useTime: Moment;
    address: string;
  };
  settlement: {
    id: GeneratedAlways<number>;
    gameId: number;
    phase: string;
    kind: 'FIRST' | 'CORRECTION' | 'VOID' | 'UNVOID';
    status: Defaulted<'RUNNING' | 'HELD' | 'DONE'>;
    stopped: Defaulted<boolean>;
    recordId: number | null;
    result: string | null;
    local: Defaulted<boolean>;
    playWayId: number | null;
    createTimeFrom: Moment | null;
    createTimeTo: Moment | null;
    slipId: number | null;
    undoes: number | null;
    operatorId: number | null;
    userName: string | null;
    reason: string | null;
    total: Defaulted<number>;
    slips: Defaulted<number>;
    stake: Defaulted<string>;
    payout: Defaulted<string>;
    refund: Defaulted<string>;
    startTime: Defaulted<Moment>;
    gatheredTime: Moment | null;
    endTime: Moment | null;
    problem: string | null;
  };
  settlement_batch: {
    settlementId: number;
    no: number;
    slips: number[];
  };
  sign_in_failure: {
    kind: 'account' | 'address' | 'password' | 'code';
    subject: string;
    count: number;
    blockedUntil: Moment | null;
    updateTime: Defaulted<Moment>;
    address: string | null;
  };
  slip: {
    id: GeneratedAlways<number>;
    bizNo: string;
    userId: number;
    gameId: number;
    planId: number;
    phase: string;
    drawTime: Moment;
    status: Defaulted<'PENDING' | 'HELD' | 'WON' | 'LOST' | 'PUSHED' | 'CANCELLED' | 'VOID'>;
    stake: string;
    payout: Defaulted<string>;
    refund: Defaulted<string>;
    acceptOdds: 'SAME' | 'BETTER' | 'ANY';
    agents: Defaulted<Json>;
    testAccount: boolean;
    contentHash: Buffer;
    createTime: Moment;
    settleTime: Moment | null;
    cancelledBy: string | null;
    cancelReason: string | null;
  };
  slip_hold: {
    slipId: number;
    settlementId: number;
    reason: 'UNREADABLE' | 'UNPOSTED' | 'BIG_WIN';
    problem: string;
    payout: string | null;
    released: Defaulted<boolean>;
    failures: Defaulted<number>;
    nextTime: Moment | null;
    createTime: Defaulted<Moment>;
  };
  slip_line: {
    id: GeneratedAlways<number>;
    slipId: number;
    playWayId: number;
    rulesId: number;
    selection: string;
    units: number;
    unitStake: string;
    stake: string;
    odds: Json;
    maxPayout: string;
    status: Defaulted<'PENDING' | 'HELD' | 'WON' | 'LOST' | 'PUSHED' | 'CANCELLED' | 'VOID'>;
    winningUnits: Defaulted<number>;
    pushedUnits: Defaulted<number>;
    payout: Defaulted<string>;
    refund: Defaulted<string>;
  };
  slip_rules: {
    id: GeneratedAlways<number>;
    hash: Buffer;
    playWayId: number;
    playWayName: string;
    categoryName: string;
    subCategoryName: string;
    rules: Json;
    createTime: Defaulted<Moment>;
    cellSeparator: string | null;
    book: string | null;
    mayPush: Defaulted<boolean>;
    lineCap: string | null;
    fewDraws: Defaulted<boolean>;
  };
  slip_settlement: {
    slipId: number;
    n: number;
    settlementId: number;
    status: 'PENDING' | 'WON' | 'LOST' | 'PUSHED' | 'VOID';
    payout: string;
    refund: string;
    movedPayout: string;
    movedRefund: string;
    createTime: Defaulted<Moment>;
  };
  spider: {
    id: GeneratedAlways<number>;
    gameId: number;
    name: string;
    url: string | null;
    spiderServiceName: string;
    options: string | null;
    remark: string | null;
    enabled: Defaulted<boolean>;
    lastRunTime: Moment | null;
    lastSuccessTime: Moment | null;
    lastError: string | null;
    consecutiveFailures: Defaulted<number>;
    nextRunTime: Defaulted<Moment>;
    headers: string | null;
    pauseMs: Defaulted<number>;
    host: GeneratedAlways<string | null>;
    askedTime: Moment | null;
    answering: Defaulted<boolean>;
    version: Defaulted<number>;
  };
  unpromised_phase: {
    gameId: number;
    phase: string;
  };
  withdrawal: {
    id: GeneratedAlways<number>;
    userId: number;
    amount: string;
    usdtAmount: string | null;
    bankOrderNo: string | null;
    fromName: string | null;
    fromAccountNo: string | null;
    type: 'BANK_TRANSFER' | 'USDT_TRANSFER' | 'THIRD_PARTY' | null;
    receiveAccountNo: string;
    receiveRealName: string | null;
    receiveAlias: string | null;
    status: Defaulted<'SUCCESS' | 'FAIL' | 'PROCESSING'>;
    createTime: Defaulted<Moment>;
    successTime: Moment | null;
    reviewer: string | null;
    reviewTime: Moment | null;
    remark: string | null;
  };
}
