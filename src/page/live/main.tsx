/** Entry of the page of a served network. */
import "../page.css";
import "./live.css";
import { render } from "preact";
import { LiveApp } from "./live-app.tsx";

const root = document.getElementById("app");
if (root === null) throw new Error("expected an element #app in the page");
root.textContent = "";
render(<LiveApp />, root);
