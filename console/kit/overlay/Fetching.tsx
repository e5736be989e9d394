import './fetching.css';

interface FetchingProps {
  /** Over the page, for what will open over it; else in the place of the part. */
  readonly over?: boolean;
}

/** In place of a part of the console that is on its way: says so to whoever waits for longer than a moment. */
export const Fetching = ({ over = false }: FetchingProps) => (
  <p className={over ? 'fetching fetching-over' : 'fetching'} role="status">
    <span>正在打开…</span>
  </p>
);
