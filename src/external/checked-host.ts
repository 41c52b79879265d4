/** Check that a node is deterministic: a second one gets the same inputs, and must give the same answers. */
import { type HostFactory, NodeFault, type NodeHost } from "./host.ts";
import type { NodeInput } from "./shapes.ts";

/** Characters of an answer that a fault shows, from where the two differ. */
const SHOWN = 120;

/**
 * Returns the same hosts, each beside a second one in one of `every` lives, chosen by the seed of the node.
 * `fresh`: makes a node that has never run. `closeSeconds` ends those that the last lives have left.
 */
export function checkedHosts(
  hosts: HostFactory,
  fresh: () => NodeHost,
  every: number,
): HostFactory & { readonly closeSeconds: () => void } {
  // A world that is over closes none: a later life of the same name ends them.
  const seconds = new Map<string, NodeHost>();
  const closeSeconds = (): void => {
    for (const second of seconds.values()) second.close();
    seconds.clear();
  };
  const checked = (name: string): NodeHost => {
    const host = hosts(name);
    const close = (): void => {
      seconds.get(name)?.close();
      seconds.delete(name);
    };
    const ask = (line: string): string => {
      if (line.startsWith('{"input":"start"')) {
        close();
        if (isChosen(line, every)) seconds.set(name, fresh());
      }
      const answer = host.ask(line);
      const other = seconds.get(name)?.ask(line);
      if (other !== undefined && other !== answer) {
        close();
        throw new NodeFault(differenceText(line, answer, other));
      }
      return answer;
    };
    return {
      ask,
      close: () => {
        close();
        host.close();
      },
    };
  };
  return Object.assign(checked, { closeSeconds });
}

function isChosen(line: string, every: number): boolean {
  const { random } = JSON.parse(line) as { readonly random: string };
  return Number.parseInt(random.slice(0, 8), 16) % every === 0;
}

function differenceText(line: string, answer: string, other: string): string {
  const { input, at } = JSON.parse(line) as NodeInput;
  let same = 0;
  while (answer[same] === other[same]) same += 1;
  const shown = (text: string): string => text.slice(Math.max(0, same - SHOWN / 2), same + SHOWN / 2);
  return (
    `is not deterministic: after the same inputs two of it answered \`${input}\` at ${at} ms differently: ` +
    `…${shown(answer)}… and …${shown(other)}…`
  );
}
