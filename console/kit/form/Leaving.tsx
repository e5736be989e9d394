import { Button } from '../overlay/Button.tsx';

interface LeavingProps {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Asks before what is entered is lost; stands where the buttons of the form were. */
export const Leaving = ({ onStay, onLeave }: LeavingProps) => (
  <div className="form-buttons">
    <p className="form-leaving" role="alert">
      填写的内容尚未提交，确定放弃吗？
    </p>
    <Button onClick={onStay}>继续填写</Button>
    <Button tone="danger" onClick={onLeave}>
      放弃
    </Button>
  </div>
);
