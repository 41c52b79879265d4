/** Entry of the page of a served network. */
import "../page.css";
import "./live.css";
import { mount } from "../parts.tsx";
import { LiveApp } from "./live-app.tsx";

mount(<LiveApp />);
