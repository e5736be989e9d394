import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** A key pair that lives in this process only: what is sealed to it is worthless to everyone else, and after its end. */
export interface HolderKey {
  /** 32 raw bytes, for others to seal to. */
  readonly publicKey: Buffer;
  /** Throws when it was not sealed to this key. */
  open(sealed: Buffer): string;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
// RFC 8410: the fixed head of an X25519 public key in DER.
const head = Buffer.from('302a300506032b656e032100', 'hex');

const rawOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(head.length);
const keyOf = (raw: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([head, raw]), format: 'der', type: 'spki' });

const sharedKey = (privateKey: KeyObject, publicKey: KeyObject, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', diffieHellman({ privateKey, publicKey }), salt, 'chat command v1', 32));

/** Seals a text to a process by the public key it has published: X25519, HKDF, AES-256-GCM. */
export function sealTo(holderKey: Buffer, text: string): Buffer {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const own = rawOf(publicKey);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sharedKey(privateKey, keyOf(holderKey), own), nonce);
  return Buffer.concat([own, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

export function createHolderKey(): HolderKey {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  return {
    publicKey: rawOf(publicKey),
    open(sealed) {
      const theirs = sealed.subarray(0, KEY_BYTES);
      const nonce = sealed.subarray(KEY_BYTES, KEY_BYTES + NONCE_BYTES);
      const key = sharedKey(privateKey, keyOf(theirs), theirs);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce);
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const body = sealed.subarray(KEY_BYTES + NONCE_BYTES, -TAG_BYTES);
      return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
