/** `quorumlab schema`: the JSON Schema of scenario files. */
import { publishedSchema } from "../scenario/schema/schema.ts";
import type { Command } from "./command.ts";
import { EXIT } from "./exit-code.ts";

export const schemaCommand: Command = {
  usage: "schema",
  description: "print the JSON Schema of scenario files",
  examples: [["$0 schema > scenario.schema.json", "for editors: # yaml-language-server: $schema=scenario.schema.json"]],
  build: (yargs) => yargs,
  run: async (_args, io) => {
    io.out(`${JSON.stringify(publishedSchema(), null, 2)}\n`);
    return EXIT.expected;
  },
};
