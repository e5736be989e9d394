const PRESETS = '.ant-picker-dropdown:not(.ant-picker-dropdown-hidden) .ant-picker-presets li';
const FRAMES = 60;

const shown = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(PRESETS)];

/** Makes a menu's item of a preset, which antd made for the mouse alone: keys lead along them, choose one, and lead back to the field. */
function lead(preset: HTMLElement, field: HTMLElement): void {
  if (preset.parentElement) preset.parentElement.role = 'menu';
  preset.role = 'menuitem';
  preset.tabIndex = -1;
  preset.onkeydown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isChosen = event.key === 'Enter' || event.key === ' ';
    if (!step && !isChosen) {
      // By Escape the picker closes as from its field, by Tab the way goes on from there.
      if (event.key === 'Escape' || event.key === 'Tab') field.focus();
      return;
    }
    event.preventDefault();
    const all = shown();
    if (step) return all.at((all.indexOf(preset) + step) % all.length)?.focus();
    preset.click();
    // Once the picker has closed, and taken the keyboard with it: in one that is open, a field that is gone to begins anew.
    setTimeout(() => field.focus());
  };
}

/** Leads from a field of a range to the presets of its picker, which takes some frames to be there where it was not open. */
export function goToPresets(field: EventTarget): void {
  if (!(field instanceof HTMLElement)) return;
  const go = (frames: number) => {
    const presets = shown();
    for (const preset of presets) lead(preset, field);
    presets[0]?.focus();
    if (frames > 0 && !presets[0]?.matches(':focus')) requestAnimationFrame(() => go(frames - 1));
  };
  // Opens the picker.
  field.click();
  go(FRAMES);
}
