import { useEffect, useState } from 'react';
import { getConsoleSettings } from '#contract/console-settings.ts';
import { platformZone, readOperatorName, serverNow, useEndpoint, wallClock } from '../kit/call/index.ts';
import './watermark.css';

const MINUTE_MS = 60_000;

/** A picture that repeats over the screen: who looks, and when. */
function picture(words: string): string {
  const safe = words.replace(/[<&>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><text x="10" y="120" transform="rotate(-20 160 90)" font-family="sans-serif" font-size="15" fill="#7f8a94" fill-opacity="0.22">${safe}</text></svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
}

/** Lays the operator's name and the time over everything, where the parameter asks for it: a photograph tells who took it. */
export function Watermark() {
  const { data } = useEndpoint(getConsoleSettings, {}, { loading: false, quiet: true, everyMs: MINUTE_MS });
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  if (!data?.watermark) return null;
  const words = `${readOperatorName()} ${wallClock(now, platformZone()).slice(0, 16)}`;
  return (
    <div
      className="watermark"
      data-words={words}
      style={{ backgroundImage: picture(words) }}
      aria-hidden="true"
    />
  );
}
