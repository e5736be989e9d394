import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { SHORTEST_PASSWORD } from '#contract/passwords.ts';
import { decodeSecret, keptSecret, SECRET_BYTES } from './app-secret.ts';
import { ConfigError } from './config-error.ts';
import { fewestConnections } from './db/connection-shares.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Everything the environment decides. Nothing else in the program reads it. */
export interface Config {
  /** Where to listen, unless a known password would then face a network: see `listeningHost`. */
  readonly host: string;
  /** 0 lets the system choose a free port. */
  readonly port: number;
  /** How many processes answer behind the port. */
  readonly servers: number;
  /** Null: PostgreSQL runs embedded, with its files in `dataDir`. */
  readonly databaseUrl: string | null;
  /** The owner's address, for migrations; null: `databaseUrl` serves for them too. */
  readonly databaseOwnerUrl: string | null;
  readonly databaseReplicaUrl: string | null;
  /** The most connections of a process; null: the usual number, see `connections.ts`. */
  readonly databaseConnections: number | null;
  /** Absolute. */
  readonly dataDir: string;
  /** 32 bytes that encrypt secrets at rest; the same on every server of a platform. */
  readonly secret: Buffer;
  readonly adminUsername: string;
  /** Null: a random one on the first run, or the sample one. */
  readonly adminPassword: string | null;
  readonly sampleData: boolean;
  /** An IANA name; days, plans and all times on the wire are in it. */
  readonly timeZone: string;
  /** Null: the platform API is off. */
  readonly platformApiKey: string | null;
  /** The token that /metrics and the API document ask for; null: none. */
  readonly metricsToken: string | null;
  /** Whose X-Forwarded-For is believed: addresses and ranges. */
  readonly trustedProxies: readonly string[];
  /** Null: chat sessions cannot be activated. */
  readonly telegram: { readonly apiId: number; readonly apiHash: string } | null;
  /** `host:port`, in lower case, that collectors and SMTP may reach although they are internal. */
  readonly spiderAllowedHosts: readonly string[];
  /** How long a server that was told to stop reports not ready and goes on answering, until the balancer sends it nothing more. */
  readonly drainSeconds: number;
  /** A file that anchors are appended to, best on another machine's disk; null: none. */
  readonly anchorFile: string | null;
  /** Statements that take this long are logged; null: none. */
  readonly slowStatementMs: number | null;
  /** Where traces are sent, and what share of them, 0 to 1; null: none. */
  readonly traces: { readonly endpoint: string; readonly ratio: number } | null;
  readonly logLevel: (typeof logLevels)[number];
}

export type Environment = Readonly<Record<string, string | undefined>>;

const flags: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'on', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'off', 'no', '0'].map((word) => [word, false] as const),
]);

/** Offsets such as +08:00 are refused: PostgreSQL reads their sign the other way round. */
const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

const isEscaped = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
};

/** A password with signs that are not written as escapes makes another host of the address, or something that the driver cannot read. */
function isDatabaseUrl(value: string): boolean {
  if (!/^postgres(ql)?:\/\/./.test(value) || !URL.canParse(value) || !isEscaped(value)) return false;
  const { pathname, search, hash } = new URL(value);
  return /^(\/[^/@]*)?$/.test(pathname) && hash === '' && !search.includes('@');
}
const databaseUrl = z.string().refine(isDatabaseUrl, {
  error:
    '须为 postgres://用户:密码@主机:端口/库名 形式的地址，其中的特殊字符写成 %XX（@ 是 %40，/ 是 %2F，# 是 %23，% 是 %25）',
});
const hostAndPort = /^(\[[0-9a-f:.]+\]|[^\s:/?#@%\\[\]]+):(\d{1,5})$/i;

const list = (value: string): string[] =>
  value
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');

/** A host and port in the form that addresses have, however it was written (`[0:0::1]:25`, `127.1:25`); undefined if it is none. */
function plainHostAndPort(entry: string): string | undefined {
  const [, host = '', digits] = hostAndPort.exec(entry) ?? [];
  const port = Number(digits);
  if (!(port >= 1 && port <= 65_535) || !URL.canParse(`http://${host}/`)) return undefined;
  return `${new URL(`http://${host}/`).hostname.replace(/\.$/, '')}:${port}`;
}

/** What a bearer token may be made of, wherever one is given and wherever one is read. */
const bearerKey = z.string().regex(/^[A-Za-z0-9._~+/=-]{32,512}$/, {
  error: '须为 32 到 512 个字符，只用字母、数字和 . _ ~ + / = -（可用 openssl rand -hex 32 生成）',
});

/** An address or range written out in full: `10.0.0` would be another machine than was meant. All addresses (/0) are refused. */
const isAddressRange = (entry: string): boolean => {
  const [address = ''] = entry.split('/');
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  return address === entry || (ipaddr.isValidCIDR(entry) && ipaddr.parseCIDR(entry)[1] > 0);
};

/** Digits only, and no more of them than the largest has. */
function wholeNumber(least: number, most: number) {
  const error = `须为 ${least} 到 ${most} 的整数`;
  return z
    .string()
    .regex(new RegExp(`^\\d{1,${String(most).length}}$`), { error })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error });
}

/** Messages are predicates: the variable's name is put in front of them. */
const environment = z.object({
  HOST: z
    .string()
    .regex(/^[0-9A-Za-z.:_-]+$/, { error: '须为主机名或 IP 地址' })
    .default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8080),
  SERVERS: wholeNumber(1, 64).default(1),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_OWNER_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  DATABASE_CONNECTIONS: wholeNumber(fewestConnections, 999).optional(),
  DATA_DIR: z.string().default('./data'),
  APP_SECRET: z
    .string()
    .transform(decodeSecret)
    .refine((secret) => secret.length === SECRET_BYTES, {
      error: '须为 32 字节的 Base64 文本（可用 openssl rand -base64 32 生成）',
    })
    .optional(),
  ADMIN_USERNAME: z
    .string()
    .trim()
    .min(1, { error: '不能为空' })
    .max(50, { error: '不能超过 50 个字符' })
    .default('admin'),
  ADMIN_PASSWORD: z
    .string()
    .min(SHORTEST_PASSWORD, { error: `至少需要 ${SHORTEST_PASSWORD} 个字符` })
    .max(255, { error: '不能超过 255 个字符' })
    .optional(),
  SAMPLE_DATA: z
    .string()
    .transform((value) => flags.get(value.toLowerCase()))
    .refine((flag) => flag !== undefined, { error: '须为 true 或 false' })
    .optional(),
  PLATFORM_TIME_ZONE: z
    .string()
    .refine(isTimeZone, { error: '须为时区名称，例如 Asia/Shanghai' })
    .default('Asia/Shanghai'),
  PLATFORM_API_KEY: bearerKey.optional(),
  METRICS_TOKEN: bearerKey.optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform(list)
    .refine((ranges) => ranges.every(isAddressRange), {
      error: '须为逗号分隔的 IP 地址或网段（如 10.0.0.0/8）',
    })
    .default(['127.0.0.0/8', '::1']),
  TELEGRAM_API_ID: z
    .string()
    .regex(/^[1-9]\d{0,9}$/, { error: '须为正整数' })
    .transform(Number)
    .optional(),
  TELEGRAM_API_HASH: z
    .string()
    .regex(/^[0-9a-f]{32}$/i, { error: '须为 32 位十六进制文本' })
    .optional(),
  SPIDER_ALLOWED_HOSTS: z
    .string()
    .transform(list)
    .refine((hosts) => hosts.every((host) => plainHostAndPort(host)), { error: '须为逗号分隔的 主机:端口' })
    .transform((hosts) => hosts.flatMap((host) => plainHostAndPort(host) ?? []))
    .default([]),
  DRAIN_SECONDS: wholeNumber(0, 60).optional(),
  ANCHOR_FILE: z.string().optional(),
  SLOW_STATEMENT_MS: z
    .string()
    .regex(/^\d{1,5}$/, { error: '须为 0 到 99999 的整数（毫秒，0 为不记）' })
    .transform(Number)
    .default(1_000),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine((value) => /^https?:\/\/./.test(value) && URL.canParse(value), {
      error: '须为 http:// 或 https:// 开头的地址',
    })
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .refine((value) => /^(0(\.\d+)?|1(\.0+)?)$/.test(value), { error: '须为 0 到 1 的小数' })
    .transform(Number)
    .default(1),
  LOG_LEVEL: z.enum(logLevels, { error: `须为 ${logLevels.join('、')} 之一` }).default('info'),
});

/** Long enough for two looks of a load balancer, and short enough to be gone within ten seconds. */
const DRAIN_SECONDS = 5;

type Settings = z.output<typeof environment>;

function readSettings(env: Environment): Settings {
  // An empty variable counts as absent: that is how compose files and CI pass on what is not set.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = environment.safeParse(given);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new ConfigError(`环境变量 ${String(issue?.path[0])} ${issue?.message ?? '不正确'}`);
}

function telegramOf({ TELEGRAM_API_ID: apiId, TELEGRAM_API_HASH: apiHash }: Settings): Config['telegram'] {
  if (apiId === undefined && apiHash === undefined) return null;
  if (apiId === undefined) throw new ConfigError('环境变量 TELEGRAM_API_ID 须与 TELEGRAM_API_HASH 一起给出');
  if (apiHash === undefined)
    throw new ConfigError('环境变量 TELEGRAM_API_HASH 须与 TELEGRAM_API_ID 一起给出');
  return { apiId, apiHash };
}

/** Reads and checks the environment. Throws `ConfigError`. In embedded mode it makes DATA_DIR and the kept secret. */
export function loadConfig(env: Environment): Config {
  const settings = readSettings(env);
  const { DATABASE_URL: url = null, DATABASE_REPLICA_URL: replica = null, APP_SECRET: given } = settings;
  const owner = settings.DATABASE_OWNER_URL ?? null;
  if (owner && !url) throw new ConfigError('环境变量 DATABASE_OWNER_URL 须与 DATABASE_URL 一起给出');
  if (replica && !url) throw new ConfigError('环境变量 DATABASE_REPLICA_URL 须与 DATABASE_URL 一起给出');
  if (url && !given)
    throw new ConfigError('使用 DATABASE_URL 时必须给出环境变量 APP_SECRET（32 字节的 Base64 文本）');
  const telegram = telegramOf(settings);
  const dataDir = resolve(settings.DATA_DIR);
  return {
    host: settings.HOST,
    port: settings.PORT,
    servers: settings.SERVERS,
    databaseUrl: url,
    databaseOwnerUrl: owner,
    databaseReplicaUrl: replica,
    databaseConnections: settings.DATABASE_CONNECTIONS ?? null,
    dataDir,
    secret: given ?? keptSecret(dataDir),
    adminUsername: settings.ADMIN_USERNAME,
    adminPassword: settings.ADMIN_PASSWORD ?? null,
    sampleData: settings.SAMPLE_DATA ?? url === null,
    timeZone: settings.PLATFORM_TIME_ZONE,
    platformApiKey: settings.PLATFORM_API_KEY ?? null,
    metricsToken: settings.METRICS_TOKEN ?? null,
    trustedProxies: settings.TRUSTED_PROXIES,
    telegram,
    spiderAllowedHosts: settings.SPIDER_ALLOWED_HOSTS,
    // Without a database of its own elsewhere a server stands alone, and nobody looks whether it is ready.
    drainSeconds: settings.DRAIN_SECONDS ?? (url ? DRAIN_SECONDS : 0),
    anchorFile: settings.ANCHOR_FILE ? resolve(settings.ANCHOR_FILE) : null,
    slowStatementMs: settings.SLOW_STATEMENT_MS || null,
    traces: settings.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: settings.OTEL_TRACES_SAMPLER_ARG }
      : null,
    logLevel: settings.LOG_LEVEL,
  };
}
