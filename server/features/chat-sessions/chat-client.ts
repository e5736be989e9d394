import { inTime } from '#server/in-time.ts';
import { Refusal } from '#server/refusal.ts';
import { type AuthState, authStateOf, detailOf } from './auth-states.ts';
import { isTdError, refusalOf, sentenceOf } from './td-errors.ts';
import { partOf, type TdClient, type TdLibrary, type TdObject, textOf } from './td-library.ts';

export interface ChatClientOptions {
  readonly library: TdLibrary;
  readonly apiId: number;
  readonly apiHash: string;
  /** The client's own folder. */
  readonly folder: string;
  /** 32 bytes. */
  readonly databaseKey: Buffer;
  /** Called after every change of what the client shows. */
  readonly onChange: (client: ChatClient) => void;
}

/** Updates that TDLib sends without anything happening to the account. */
const housekeeping = new Set(['updateOption', 'updateConnectionState', 'updateAuthorizationState']);

const INITIAL: AuthState = 'AuthorizationStateWaitTdlibParameters';

/** One running TDLib client: its state as it is reported, and requests with a limit on waiting. */
export class ChatClient {
  readonly #td: TdClient;
  readonly #options: ChatClientOptions;
  #settled: () => void = () => undefined;
  #ended: () => void = () => undefined;
  #connection = 'connectionStateConnecting';
  #failure: string | null = null;
  #waiting: string | null = null;
  state: AuthState = INITIAL;
  phone: string | null = null;
  /** When the account was last active, in milliseconds since 1970. */
  activeAt = performance.now();
  /** Resolves when TDLib has taken the parameters, or refused them. */
  readonly started: Promise<void>;
  /** Resolves when the client is at its end. */
  readonly closed: Promise<void>;

  constructor(options: ChatClientOptions) {
    this.#options = options;
    this.started = new Promise((resolve) => {
      this.#settled = resolve;
    });
    this.closed = new Promise((resolve) => {
      this.#ended = resolve;
    });
    this.#td = options.library.open((update) => this.#take(update));
  }

  /** Whether TDLib refused to start; `detail` says why. */
  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** What the operator is told beside the state. */
  get detail(): string | null {
    if (this.#failure) return this.#failure;
    const online =
      this.#connection === 'connectionStateReady' || this.#connection === 'connectionStateUpdating';
    const idle = this.state === 'AuthorizationStateClosed' || this.state === INITIAL;
    if (!online && !idle) return '正在连接 Telegram 服务器；若一直连不上，请检查服务器的网络';
    return this.#waiting;
  }

  /** Sends a request and waits no longer than told; what was sent may still take effect afterwards. */
  async ask(request: TdObject, { field, waitMs }: { field?: string; waitMs: number }): Promise<TdObject> {
    this.activeAt = performance.now();
    try {
      return await inTime(this.#td.ask(request), waitMs, () => this.#tooLate());
    } catch (error) {
      throw isTdError(error) ? refusalOf(error, field) : error;
    }
  }

  /** Closes the client and keeps the account signed in; waits until its files are written. */
  async close(): Promise<void> {
    if (this.state === 'AuthorizationStateClosed') return;
    this.#td.ask({ _: 'close' }).catch(() => undefined);
    await this.closed;
  }

  #tooLate(): Refusal {
    return new Refusal(this.#connection === 'connectionStateReady' ? 'chatSlow' : 'chatOffline');
  }

  #take(update: TdObject): void {
    if (update._ === 'updateAuthorizationState') this.#takeState(partOf(update, 'authorization_state'));
    else if (update._ === 'updateConnectionState') {
      this.#connection = partOf(update, 'state')?._ ?? this.#connection;
      this.#options.onChange(this);
    }
    if (!housekeeping.has(update._)) this.activeAt = performance.now();
  }

  #takeState(state: TdObject | undefined): void {
    const known = state && authStateOf(state._);
    if (!state || !known) return;
    this.state = known;
    this.#waiting = detailOf(state);
    this.activeAt = performance.now();
    if (known === INITIAL) void this.#sendParameters();
    if (known !== INITIAL) this.#settled();
    if (known === 'AuthorizationStateReady') void this.#readPhone();
    if (known === 'AuthorizationStateClosed') this.#ended();
    this.#options.onChange(this);
  }

  async #sendParameters(): Promise<void> {
    const { apiId, apiHash, folder, databaseKey } = this.#options;
    try {
      await this.#td.ask({
        _: 'setTdlibParameters',
        use_test_dc: false,
        database_directory: `${folder}/database`,
        files_directory: `${folder}/files`,
        database_encryption_key: databaseKey.toString('base64'),
        use_file_database: false,
        use_chat_info_database: false,
        use_message_database: false,
        use_secret_chats: false,
        api_id: apiId,
        api_hash: apiHash,
        system_language_code: 'zh-hans',
        device_model: '运营后台',
        system_version: '',
        application_version: '1.0',
      });
    } catch (error) {
      this.#failure = isTdError(error) ? sentenceOf(error) : '聊天组件启动失败，请联系系统管理员';
      this.#settled();
      this.#options.onChange(this);
    }
  }

  /** The number the account has now, which may not be the one it was signed in with. */
  async #readPhone(): Promise<void> {
    const me = await this.#td.ask({ _: 'getMe' }).catch(() => undefined);
    const digits = me && textOf(me, 'phone_number');
    if (!digits) return;
    this.phone = `+${digits}`;
    this.#options.onChange(this);
  }
}
