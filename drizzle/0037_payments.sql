CREATE TABLE `payments` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`psp_ref` text NOT NULL,
	`codes` text NOT NULL,
	`session_id` text,
	`status` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `psp_ref`)
);
