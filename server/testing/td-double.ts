import {
  partOf,
  type TdClient,
  TdError,
  type TdLibrary,
  type TdObject,
  textOf,
} from '#server/features/chat-sessions/td-library.ts';

/** An account at the messaging service, by its number with country code. */
export interface DoubledAccount {
  readonly code: string;
  readonly password?: string;
  readonly registered?: boolean;
  /** Asked for by e-mail instead of a message. */
  readonly emailCode?: string;
  /** Must be confirmed on another device. */
  readonly elsewhere?: boolean;
  /** Answers the number with this error. */
  readonly error?: string;
}

/** Stands at TDLib's JSON interface: same requests, updates, states and errors, no network. */
export interface TdDouble {
  readonly library: TdLibrary;
  /** Without network nothing but starting and closing is answered. */
  online: boolean;
  /** How many clients run. */
  running(): number;
  /** Ends all logins of an account, as from another device. */
  terminate(phone: string): void;
  /** The folders of clients that run or ran. */
  folders(): string[];
}

interface Stored {
  readonly key: string;
  phone: string | null;
}

const state = (name: string, fields: object = {}): TdObject => ({
  _: `authorizationState${name}`,
  ...fields,
});

const isObject = (value: unknown): value is TdObject => typeof value === 'object' && value !== null;

class DoubledClient implements TdClient {
  readonly world: World;
  readonly onUpdate: (update: TdObject) => void;
  #state = '';
  folder = '';
  #phone = '';

  constructor(world: World, onUpdate: (update: TdObject) => void) {
    this.world = world;
    this.onUpdate = onUpdate;
    setImmediate(() => this.to(state('WaitTdlibParameters')));
  }

  get account(): DoubledAccount | undefined {
    return this.world.accounts[this.#phone];
  }

  to(next: TdObject): void {
    this.#state = next._;
    this.onUpdate({ _: 'updateAuthorizationState', authorization_state: next });
  }

  get stored(): Stored | undefined {
    return this.world.disk.get(this.folder);
  }

  async ask(request: TdObject): Promise<TdObject> {
    await new Promise(setImmediate);
    const local = ['setTdlibParameters', 'close', 'destroy'].includes(request._);
    if (!local && !this.world.double.online) return new Promise(() => undefined);
    const answer = this.answers[request._];
    if (!answer) throw new TdError(400, `Unknown request ${request._}`);
    const given = answer(request);
    return isObject(given) ? given : { _: 'ok' };
  }

  demand(...names: string[]): void {
    if (!names.some((name) => this.#state === `authorizationState${name}`))
      throw new TdError(400, `Call is unexpected in ${this.#state}`);
  }

  signIn(): void {
    if (this.stored) this.stored.phone = this.#phone;
    this.to(state('Ready'));
  }

  end(keep: boolean): void {
    if (this.#state === 'authorizationStateClosed') return;
    if (!keep) this.world.disk.delete(this.folder);
    this.to(state('Closing'));
    this.world.clients.delete(this);
    setImmediate(() => this.to(state('Closed')));
  }

  afterCode(): void {
    if (this.account?.password)
      this.to(state('WaitPassword', { password_hint: 'the hint', has_recovery_email_address: false }));
    else this.signIn();
  }

  sendPhone(request: TdObject): void {
    this.demand(
      'WaitPhoneNumber',
      'WaitCode',
      'WaitPassword',
      'WaitRegistration',
      'WaitOtherDeviceConfirmation',
      'WaitEmailCode',
    );
    const phone = textOf(request, 'phone_number').replace('+', '');
    const account = this.world.accounts[phone];
    if (!account) throw new TdError(400, 'PHONE_NUMBER_INVALID');
    if (account.error) throw new TdError(account.error.startsWith('Too Many') ? 429 : 400, account.error);
    this.#phone = phone;
    if (account.registered === false) this.to(state('WaitRegistration'));
    else if (account.elsewhere) this.to(state('WaitOtherDeviceConfirmation', { link: 'tg://login?token=x' }));
    else if (account.emailCode)
      this.to(
        state('WaitEmailCode', {
          code_info: {
            _: 'emailAddressAuthenticationCodeInfo',
            email_address_pattern: 'a***@b.example',
            length: 6,
          },
        }),
      );
    else this.sendCode('authenticationCodeTypeTelegramMessage', true);
  }

  sendCode(type: string, again: boolean): void {
    const next = again ? { next_type: { _: 'authenticationCodeTypeSms', length: 5 } } : {};
    const code_info = {
      _: 'authenticationCodeInfo',
      phone_number: this.#phone,
      type: { _: type, length: 5 },
      timeout: again ? 60 : 0,
      ...next,
    };
    this.to(state('WaitCode', { code_info }));
  }

  readonly answers: Readonly<Record<string, (request: TdObject) => unknown>> = {
    setTdlibParameters: (request) => {
      this.demand('WaitTdlibParameters');
      this.folder = textOf(request, 'database_directory');
      const key = textOf(request, 'database_encryption_key');
      const known = this.stored;
      if (known && known.key !== key) throw new TdError(401, 'Wrong database encryption key');
      if (!known) this.world.disk.set(this.folder, { key, phone: null });
      const online = this.world.double.online;
      this.onUpdate({
        _: 'updateConnectionState',
        state: { _: `connectionState${online ? 'Ready' : 'Connecting'}` },
      });
      this.#phone = known?.phone ?? '';
      this.to(state(known?.phone ? 'Ready' : 'WaitPhoneNumber'));
    },
    setAuthenticationPhoneNumber: (request) => this.sendPhone(request),
    resendAuthenticationCode: () => {
      this.demand('WaitCode', 'WaitEmailCode');
      this.sendCode('authenticationCodeTypeSms', false);
    },
    checkAuthenticationCode: (request) => {
      this.demand('WaitCode');
      if (request.code !== this.account?.code) throw new TdError(400, 'PHONE_CODE_INVALID');
      this.afterCode();
    },
    checkAuthenticationEmailCode: (request) => {
      this.demand('WaitEmailCode');
      if (partOf(request, 'code')?.code !== this.account?.emailCode) throw new TdError(400, 'CODE_INVALID');
      this.afterCode();
    },
    checkAuthenticationPassword: (request) => {
      this.demand('WaitPassword');
      if (request.password !== this.account?.password) throw new TdError(400, 'PASSWORD_HASH_INVALID');
      this.signIn();
    },
    getMe: () => ({ _: 'user', phone_number: this.#phone }),
    logOut: () => {
      this.to(state('LoggingOut'));
      setImmediate(() => this.end(false));
    },
    close: () => this.end(true),
    destroy: () => this.end(false),
  };

  isOf(phone: string): boolean {
    return this.#phone === phone;
  }
}

interface World {
  readonly accounts: Readonly<Record<string, DoubledAccount>>;
  readonly disk: Map<string, Stored>;
  readonly clients: Set<DoubledClient>;
  readonly double: TdDouble;
}

/** A messaging service with these accounts, by number with country code and without the plus. What is stored outlives its clients. */
export function tdDouble(accounts: Readonly<Record<string, DoubledAccount>>): TdDouble {
  const clients = new Set<DoubledClient>();
  const disk = new Map<string, Stored>();
  const double: TdDouble = {
    online: true,
    library: {
      open(onUpdate) {
        const client = new DoubledClient({ accounts, disk, clients, double }, onUpdate);
        clients.add(client);
        return client;
      },
    },
    running: () => clients.size,
    terminate: (phone) => {
      for (const client of clients) if (client.isOf(phone)) client.end(false);
    },
    folders: () => [...disk.keys()],
  };
  return double;
}
