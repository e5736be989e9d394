import type { GoogleKey } from '#contract/operators.ts';
import './google-key.css';

/** A fresh Google key as a picture to scan and as letters to type. */
export const GoogleKeyFace = ({
  googleKey,
  children,
}: {
  readonly googleKey: GoogleKey;
  readonly children: string;
}) => (
  <div className="google-key">
    <img src={googleKey.qrCode} alt="谷歌密钥二维码" />
    <code>{googleKey.secret}</code>
    <p>{children}</p>
  </div>
);
