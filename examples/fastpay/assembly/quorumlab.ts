/** What the node imports from its host: a line for the log, as UTF-8 in its memory. */
export declare function log(place: usize, bytes: usize): void;
