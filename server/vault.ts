import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

/** Keeps secrets at rest. `binding` names the row and column: a ciphertext moved elsewhere does not open. */
export interface Vault {
  seal(plain: string, binding: string): Buffer;
  /** Throws when a byte was changed, the binding is another's, or APP_SECRET is not the one that sealed it. */
  open(sealed: Buffer, binding: string): string;
  /** A keyed fingerprint, for comparing requests without keeping them. */
  fingerprint(text: string): Buffer;
  /** A keyed proof that a server of this platform wrote a text. */
  proof(text: string): Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM and HMAC-SHA-256 under keys derived from the 32 bytes of APP_SECRET. */
export function createVault(secret: Buffer): Vault {
  // Ready for use: what each call would make of plain bytes costs more than its sealing.
  const derive = (purpose: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
  const sealingKey = derive('back-office sealing v1');
  const fingerprintKey = derive('back-office fingerprint v1');
  const proofKey = derive('back-office proof v1');
  return {
    seal(plain, binding) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(Buffer.from(binding));
      return Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, binding) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const tag = sealed.subarray(sealed.length - TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, nonce)
        .setAAD(Buffer.from(binding))
        .setAuthTag(tag);
      return (
        decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
    fingerprint: (text) => createHmac('sha256', fingerprintKey).update(text).digest(),
    proof: (text) => createHmac('sha256', proofKey).update(text).digest(),
  };
}
