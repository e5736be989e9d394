import { ExclamationCircleFilled } from '@ant-design/icons';
import { Button, PlaceContext } from './Button.tsx';
import { closePopup, openPopup, overlays } from './overlays.ts';

interface QuestionProps {
  readonly text: string;
  readonly word: string;
  readonly danger?: boolean;
  readonly onYes: () => void;
}

/** 取消 closes it, the other button says what will be done. */
function Question({ text, word, danger = false, onYes }: QuestionProps) {
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

/** Asks in a popup at a button; where that stands in a menu, whose place the question takes, at what opened the menu. */
export function askAt(button: HTMLElement, question: QuestionProps): void {
  const { popup } = overlays.read();
  const isInMenu = popup && !popup.anchor.contains(button) && button.closest('.popup') !== null;
  openPopup(isInMenu ? popup.anchor : button, question.text, <Question {...question} />);
}
