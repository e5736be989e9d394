import { Button, Dialog, useCloseDialog } from '../../kit/overlay/index.ts';

interface AskFirstProps {
  readonly title: string;
  readonly text: string;
  /** What is done all the same. */
  readonly word: string;
  readonly onYes: () => void;
}

/** Asks before something is done at the desk that cannot be taken back. */
export function AskFirst({ title, text, word, onYes }: AskFirstProps) {
  const close = useCloseDialog();
  const yes = () => {
    close();
    onYes();
  };
  return (
    <Dialog title={title} width={440}>
      <p className="dialog-text">{text}</p>
      <div className="form-buttons">
        <Button onClick={close}>取消</Button>
        <Button tone="primary" onClick={yes}>
          {word}
        </Button>
      </div>
    </Dialog>
  );
}
