import { Button } from './Button.tsx';
import './not-loaded.css';

interface NotLoadedProps {
  readonly title: string;
  readonly text: string;
  readonly onRetry: () => void;
}

/** In place of what could not be read or drawn: why, and the way to try again. */
export const NotLoaded = ({ title, text, onRetry }: NotLoadedProps) => (
  <div className="not-loaded" role="alert">
    <strong>{title}</strong>
    <span>{text}</span>
    <Button tone="primary" onClick={onRetry}>
      重新加载
    </Button>
  </div>
);
