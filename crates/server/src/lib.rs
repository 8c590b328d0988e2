//! Rooms, presence, lobby, HTTP, WebSocket.
