import { ExclamationCircleFilled } from '@ant-design/icons';
import { Button, PlaceContext } from './Button.tsx';
import { closePopup } from './overlays.ts';

interface QuestionProps {
  readonly text: string;
  readonly word: string;
  readonly danger?: boolean;
  readonly onYes: () => void;
}

/** A question in a popup: 取消 closes it, the other button says what will be done. */
export function Question({ text, word, danger = false, onYes }: QuestionProps) {
  return (
    <PlaceContext value="plain">
      <div className="popup-question">
        <ExclamationCircleFilled aria-hidden />
        <span>{text}</span>
      </div>
      <div className="popup-answer">
        <Button onClick={closePopup}>取消</Button>
        <Button tone={danger ? 'danger' : 'primary'} data-first onClick={onYes}>
          {word}
        </Button>
      </div>
    </PlaceContext>
  );
}
