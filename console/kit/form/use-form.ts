import { useEffect, useState } from 'react';
import type { AnyEndpoint, Output, WireInput } from '#contract/endpoint.ts';
import { useCommand } from '../call/use-command.ts';
import {
  type Chosen,
  type Difference,
  differencesOf,
  firstChoices,
  settled,
  type Values,
} from './conflict.ts';
import type { FormPlace } from './draft-store.ts';
import { dropDraft, keepDraft, readDraft } from './drafts.ts';
import { shapeOf } from './field.ts';
import type { AskedField } from './field-spec.ts';
import { withoutSecrets } from './without-secrets.ts';

/** What has to be decided since somebody else changed the row of a form. */
interface Clash {
  readonly theirs: Values;
  readonly differences: readonly Difference[];
  readonly chosen: Chosen;
}

/** What of a row the call takes: an edit sends the row's id and all it knows, whether or not a field shows it. */
function knownTo(endpoint: AnyEndpoint, initial: object): Values {
  const shape = shapeOf(endpoint.input);
  return Object.fromEntries(Object.entries(initial).filter(([name]) => name in shape));
}

/** What a form begins with. */
function beginning(endpoint: AnyEndpoint, asked: readonly AskedField[], initial: object): Values {
  const presets = asked.map(({ field }): [string, unknown] => [field.name, field.preset]);
  return { ...Object.fromEntries(presets), ...knownTo(endpoint, initial) };
}

/** The fields that are there, by what is entered. */
export const visibleIn = (asked: readonly AskedField[], values: Values): readonly AskedField[] =>
  asked.filter(({ when }) => when?.(values) ?? true);

/** What is entered, without the fields that are not there. */
function sentOf(asked: readonly AskedField[], values: Values): Values {
  const visible = new Set(visibleIn(asked, values).map(({ field }) => field.name));
  const hidden = new Set(asked.map(({ field }) => field.name).filter((name) => !visible.has(name)));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.has(name)));
}

/** What is entered outlives the page, until it is sent or given up; secrets do not. */
function useDraft(endpoint: AnyEndpoint, place: FormPlace | undefined, state: Omit<Entered, 'restored'>) {
  const { opened, values, touched } = state;
  useEffect(() => {
    if (!place || !touched) return;
    keepDraft(place, {
      values: withoutSecrets(endpoint, values),
      opened: withoutSecrets(endpoint, opened),
    });
  }, [endpoint, place, opened, values, touched]);
}

interface Entered {
  readonly opened: Values;
  readonly values: Values;
  readonly touched: boolean;
  /** Whether it was entered before the page was loaded, or before the form was left without being sent. */
  readonly restored: boolean;
}

function enteredBefore(place: FormPlace | undefined, opened: Values): Entered {
  const draft = place && readDraft(place);
  if (!draft) return { opened, values: opened, touched: false, restored: false };
  const known = { ...opened, ...draft.opened };
  return { opened: known, values: { ...known, ...draft.values }, touched: true, restored: true };
}

/**
 * What is entered in a form and how it is sent. An edit goes out with the version of the row that the form was opened with; when the
 * row was changed meanwhile, `clash` says what has to be decided, and nothing of what was entered is lost.
 */
export function useForm<E extends AnyEndpoint>(
  endpoint: E,
  asked: readonly AskedField[],
  { initial, place }: { readonly initial: object; readonly place?: FormPlace | undefined },
) {
  const [before] = useState(() => enteredBefore(place, beginning(endpoint, asked, initial)));
  const [restored, setRestored] = useState(before.restored);
  const [opened, setOpened] = useState(before.opened);
  const [values, setValues] = useState(before.values);
  const [touched, setTouched] = useState(before.touched);
  useDraft(endpoint, place, { opened, values, touched });
  const [clash, setClash] = useState<Clash | null>(null);
  const fields = visibleIn(asked, values).map(({ field }) => field.name);
  const { attempt, running, failure, correct } = useCommand(endpoint, { fields });

  /** Goes on from the row as it is now. */
  const takeOver = (mine: Values, theirs: Values, chosen: Chosen): Values => {
    const merged = settled(asked, { mine, theirs }, chosen);
    setValues(merged);
    setOpened((before) => ({ ...before, ...knownTo(endpoint, theirs) }));
    setClash(null);
    return merged;
  };

  const send = async (mine: Values, base: Values): Promise<{ data: Output<E> } | undefined> => {
    const outcome = await attempt(sentOf(asked, mine) as WireInput<E>);
    if (!outcome || 'data' in outcome) return outcome;
    if ('submitted' in outcome) {
      // The form has given way to what tells of that, and must not come back with the next page.
      if (place) dropDraft(place);
      return undefined;
    }
    const theirs = outcome.failure.current;
    if (!theirs) return undefined;
    const differences = differencesOf(asked, { opened: base, mine, theirs });
    const chosen = firstChoices(differences);
    if (differences.some(({ changedBy }) => changedBy !== 'mine')) {
      setClash({ theirs, differences, chosen });
      return undefined;
    }
    // What they changed is none of this form's fields, or what it says too: there is nothing to decide.
    return send(takeOver(mine, theirs, chosen), { ...base, ...theirs });
  };

  return {
    values,
    touched,
    restored,
    running,
    failure: failure?.current ? null : failure,
    clash,
    enter: (name: string, value: unknown) => {
      setTouched(true);
      setValues((before) => ({ ...before, [name]: value }));
      correct(name);
    },
    /** Back to what the form is opened with. */
    startOver: () => {
      const fresh = beginning(endpoint, asked, initial);
      setRestored(false);
      setTouched(false);
      setOpened(fresh);
      setValues(fresh);
      if (place) dropDraft(place);
    },
    choose: (chosen: Chosen) => setClash((before) => before && { ...before, chosen }),
    /** Back to the fields, with what is chosen so far. */
    settle: () => clash && takeOver(values, clash.theirs, clash.chosen),
    /** Sends what is entered, and what is chosen where something had to be. */
    submit: () => {
      if (!clash) return send(values, opened);
      return send(takeOver(values, clash.theirs, clash.chosen), { ...opened, ...clash.theirs });
    },
  };
}
